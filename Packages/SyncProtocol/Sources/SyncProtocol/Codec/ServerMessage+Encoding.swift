import ChangesetOT

extension ServerMessage {
  /// The bytes of the message in `dialect`.
  ///
  /// - Parameter compressing: whether large bodies are compressed when that makes them smaller. Between processes of one
  ///   machine it costs more than it saves.
  /// - Complexity: O(size of the message).
  public func encoded(for dialect: Dialect = Dialect(), compressing: Bool = true) -> [UInt8] {
    switch self {
    case .ident(let message):
      var head = HeadWriter("ident")
      head.field(message.session)
      head.field(message.file.ident.rawValue)
      head.field(message.file.salt)
      head.newline()
      return head.bytes
    case .download(let message):
      return Self.encoded(message, dialect: dialect, compressing: compressing)
    case .mark(let message):
      return message.encoded
    case .unbound(let message):
      var head = HeadWriter("unbound")
      head.field(message.session)
      head.newline()
      return head.bytes
    case .error(let message):
      var head = HeadWriter("error")
      head.field(message.code.rawValue)
      head.field(message.message.utf8.count)
      head.field(message.tryAgain)
      head.field(message.session)
      head.newline()
      head.body(message.message)
      return head.bytes
    case .jsonError(let message):
      return HeadWriter.jsonError(message.code.rawValue, message.details.json.text, message.session)
    case .queryError(let message):
      var head = HeadWriter("query_error")
      head.field(message.code.rawValue)
      head.field(message.message.utf8.count)
      head.field(message.session)
      head.field(message.query.rawValue)
      head.newline()
      head.body(message.message)
      return head.bytes
    case .pong(let message):
      var head = HeadWriter("pong")
      head.field(message.timestamp)
      head.newline()
      return head.bytes
    case .log(let message):
      let body = message.json.text
      var head = HeadWriter("log_message")
      head.field(message.session)
      head.field(body.utf8.count)
      head.newline()
      head.body(body)
      return head.bytes
    case .testCommand(let message):
      return message.encoded
    }
  }

  private static func encoded(_ message: DownloadMessage, dialect: Dialect, compressing: Bool) -> [UInt8] {
    let body = EntryCoding.body(message.entries)
    let packed = compressing ? BodyCompression.pack(body) : (isCompressed: false, bytes: body)
    let progress = message.progress
    var head = HeadWriter("download", capacity: packed.bytes.count + 256)
    head.field(message.session)
    head.field(progress.download.server.rawValue)
    head.field(progress.download.client.rawValue)
    head.field(progress.latestServerVersion.version.rawValue)
    head.field(progress.latestServerVersion.salt)
    head.field(progress.upload.client.rawValue)
    head.field(progress.upload.server.rawValue)
    if dialect.flavour == .flexible {
      let batch = message.batch ?? DownloadBatch(query: .zero, state: .steady)
      head.field(batch.query.rawValue)
      head.field(batch.state.rawValue)
    }
    head.field(
      text: message.remaining.text(fractional: dialect.flavour == .flexible && dialect.version.hasFractionalProgress))
    head.field(packed.isCompressed)
    head.field(body.count)
    head.field(packed.isCompressed ? packed.bytes.count : 0)
    head.newline()
    head.body(packed.bytes)
    return head.bytes
  }
}

extension DownloadRemaining {
  /// The field on the wire: a fraction or a number of bytes, whichever the dialect has.
  func text(fractional: Bool) -> String {
    switch (self, fractional) {
    case (.bytes(let bytes), false): String(bytes)
    case (.bytes(let bytes), true): bytes == 0 ? "1" : "0"
    case (.fraction, false): "0"
    case (.fraction(let fraction), true):
      fraction == 0 ? "0" : fraction == 1 ? "1" : "\(fraction)"
    }
  }
}
