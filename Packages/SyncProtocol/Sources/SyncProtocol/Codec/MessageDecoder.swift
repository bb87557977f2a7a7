import ByteCoding
import ChangesetOT

/// A strict decoder of the messages of one dialect: single spaces, decimal digits, exact sizes, no trailing bytes.
///
///     let decoder = MessageDecoder(dialect: Dialect(.full, ProtocolVersion(14)))
///     try decoder.clientMessage(Array("mark 1 2\n".utf8))     // .mark(session 1, request 2)
///
/// Guarantee: memory is in proportion to the bytes that arrived and within ``MessageLimits``, for every stated size.
public struct MessageDecoder: Sendable {
  /// The dialect of the connection.
  public var dialect: Dialect
  /// The limits of the messages.
  public var limits: MessageLimits

  /// A decoder.
  public init(dialect: Dialect = Dialect(), limits: MessageLimits = MessageLimits()) {
    self.dialect = dialect
    self.limits = limits
  }

  /// The message of a client.
  ///
  /// - Throws: ``MessageDecodingError`` with the position, and the error for the client.
  /// - Complexity: O(size of the message and its inflated body).
  public func clientMessage(_ bytes: [UInt8]) throws(MessageDecodingError) -> ClientMessage {
    var reader = try start(bytes)
    let message: ClientMessage
    switch reader.messageType() {
    case "bind": message = .bind(try bind(&reader))
    case "ident": message = .ident(try clientIdent(&reader))
    case "upload": message = .upload(try upload(&reader))
    case "mark": message = .mark(try mark(&reader))
    case "unbind":
      message = .unbind(UnbindMessage(session: try reader.session()))
      try reader.endOfHead()
    case "ping":
      message = .ping(
        PingMessage(timestamp: try reader.field("timestamp"), roundTrip: try reader.field("round trip")))
      try reader.endOfHead()
    case "json_error": message = .jsonError(try clientError(&reader))
    case "query" where dialect.flavour == .flexible:
      let session = try reader.session()
      message = .query(QueryChangeMessage(session: session, query: try query(&reader)))
    case "test_command": message = .testCommand(try testCommand(&reader))
    default: throw MessageDecodingError(.unknownType, at: 0)
    }
    try reader.endOfMessage()
    return message
  }

  /// The message of a server.
  ///
  /// - Throws: ``MessageDecodingError`` with the position.
  /// - Complexity: O(size of the message and its inflated body).
  public func serverMessage(_ bytes: [UInt8]) throws(MessageDecodingError) -> ServerMessage {
    var reader = try start(bytes)
    let message: ServerMessage
    switch reader.messageType() {
    case "ident": message = .ident(try serverIdent(&reader))
    case "download": return .download(try download(&reader))
    case "mark": message = .mark(try mark(&reader))
    case "unbound":
      message = .unbound(UnboundMessage(session: try reader.session()))
      try reader.endOfHead()
    case "error": message = .error(try plainError(&reader))
    case "json_error": message = .jsonError(try jsonError(&reader))
    case "query_error" where dialect.flavour == .flexible: message = .queryError(try queryError(&reader))
    case "pong":
      message = .pong(PongMessage(timestamp: try reader.field("timestamp")))
      try reader.endOfHead()
    case "log_message" where dialect.version.hasLogMessages: message = .log(try log(&reader))
    case "test_command": message = .testCommand(try testCommand(&reader))
    default: throw MessageDecodingError(.unknownType, at: 0)
    }
    try reader.endOfMessage()
    return message
  }

  private func start(_ bytes: [UInt8]) throws(MessageDecodingError) -> HeadReader {
    guard bytes.count <= limits.messageBytes else { throw MessageDecodingError(.limitExceeded("message"), at: 0) }
    guard bytes.prefix(limits.headBytes).contains(0x0A) else { throw MessageDecodingError(.badHead, at: 0) }
    return HeadReader(bytes[...])
  }

  func mark(_ reader: inout HeadReader) throws(MessageDecodingError) -> MarkMessage {
    let message = MarkMessage(
      session: try reader.session(), request: RequestIdent(try reader.field("request ident")))
    try reader.endOfHead()
    return message
  }

  func testCommand(_ reader: inout HeadReader) throws(MessageDecodingError) -> TestCommandMessage {
    let session = try reader.session()
    let request = RequestIdent(try reader.field("request ident"))
    let size = try reader.size("text size", limit: limits.textBytes)
    try reader.endOfHead()
    return TestCommandMessage(session: session, request: request, text: try reader.text(size, "text"))
  }

  func json(_ reader: inout HeadReader, _ size: Int) throws(MessageDecodingError) -> JSONValue {
    let start = reader.position
    let bytes = Array(try reader.run(size))
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw MessageDecodingError(.badText("JSON"), at: start + error.position)
    }
  }

  /// The fields about the body that UPLOAD and DOWNLOAD share.
  struct Packing {
    var isCompressed: Bool
    var size: Int
    var packedSize: Int
  }

  func packing(_ reader: inout HeadReader) throws(MessageDecodingError) -> Packing {
    let isCompressed = try reader.flag("is compressed")
    let size = try reader.size("uncompressed size", limit: limits.inflatedBytes)
    let start = reader.position + 1
    let packedSize = try reader.size("compressed size", limit: limits.messageBytes)
    guard isCompressed || packedSize == 0 else { throw MessageDecodingError(.badField("compressed size"), at: start) }
    return Packing(isCompressed: isCompressed, size: size, packedSize: packedSize)
  }
}
