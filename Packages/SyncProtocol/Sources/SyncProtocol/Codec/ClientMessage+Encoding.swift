import ByteCoding
import ChangesetOT

extension ClientMessage {
  /// The bytes of the message in `dialect`.
  ///
  ///     ClientMessage.mark(MarkMessage(session: SessionIdent(1), request: RequestIdent(2))).encoded()   // "mark 1 2\n"
  ///
  /// - Parameter compressing: whether large bodies are compressed when that makes them smaller. Between processes of one
  ///   machine it costs more than it saves.
  /// - Complexity: O(size of the message).
  public func encoded(for dialect: Dialect = Dialect(), compressing: Bool = true) -> [UInt8] {
    switch self {
    case .bind(let message):
      var head = HeadWriter("bind")
      head.field(message.session)
      head.field(message.path.utf8.count)
      head.field(message.token.utf8.count)
      head.field(message.needsFileIdent)
      head.field(message.isSubserver)
      head.newline()
      head.body(message.path)
      head.body(message.token)
      return head.bytes
    case .ident(let message):
      return Self.encoded(message, flavour: dialect.flavour)
    case .upload(let message):
      return Self.encoded(message, compressing: compressing)
    case .mark(let message):
      return message.encoded
    case .unbind(let message):
      var head = HeadWriter("unbind")
      head.field(message.session)
      head.newline()
      return head.bytes
    case .ping(let message):
      var head = HeadWriter("ping")
      head.field(message.timestamp)
      head.field(message.roundTrip)
      head.newline()
      return head.bytes
    case .jsonError(let message):
      let body = JSONValue.object([("message", .string(message.message))]).text
      return HeadWriter.jsonError(message.code.rawValue, body, message.session)
    case .query(let message):
      var head = HeadWriter("query")
      head.field(message.session)
      head.field(message.query.version.rawValue)
      head.field(message.query.json.utf8.count)
      head.newline()
      head.body(message.query.json)
      return head.bytes
    case .testCommand(let message):
      return message.encoded
    }
  }

  private static func encoded(_ message: ClientIdentMessage, flavour: SyncFlavour) -> [UInt8] {
    var head = HeadWriter("ident")
    head.field(message.session)
    head.field(message.file.ident.rawValue)
    head.field(message.file.salt)
    head.field(message.download.server.rawValue)
    head.field(message.download.client.rawValue)
    head.field(message.latestServerVersion.version.rawValue)
    head.field(message.latestServerVersion.salt)
    guard flavour == .flexible else {
      head.newline()
      return head.bytes
    }
    let query = message.query ?? QuerySet()
    head.field(query.version.rawValue)
    head.field(query.json.utf8.count)
    head.newline()
    head.body(query.json)
    return head.bytes
  }

  private static func encoded(_ message: UploadMessage, compressing: Bool) -> [UInt8] {
    let body = EntryCoding.body(message.entries)
    let packed = compressing ? BodyCompression.pack(body) : (isCompressed: false, bytes: body)
    var head = HeadWriter("upload", capacity: packed.bytes.count + 128)
    head.field(message.session)
    head.field(packed.isCompressed)
    head.field(body.count)
    head.field(packed.isCompressed ? packed.bytes.count : 0)
    head.field(message.progress.client.rawValue)
    head.field(message.progress.server.rawValue)
    head.field(message.lockedServerVersion.rawValue)
    head.newline()
    head.body(packed.bytes)
    return head.bytes
  }
}

extension MarkMessage {
  var encoded: [UInt8] {
    var head = HeadWriter("mark")
    head.field(session)
    head.field(request.rawValue)
    head.newline()
    return head.bytes
  }
}

extension TestCommandMessage {
  var encoded: [UInt8] {
    var head = HeadWriter("test_command")
    head.field(session)
    head.field(request.rawValue)
    head.field(text.utf8.count)
    head.newline()
    head.body(text)
    return head.bytes
  }
}
