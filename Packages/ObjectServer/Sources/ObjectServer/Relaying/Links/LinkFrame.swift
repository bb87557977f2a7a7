import ByteCoding
import Transport

/// A frame of the link between two nodes: what happens to one stream, or a sign of life.
///
/// A WebSocket message of a link holds whole frames: the number of the stream (varint), the kind (a byte), the length (varint), and
/// as many bytes. Stream 0 is the link itself. `Docs/Cluster.md` has the table.
package enum LinkFrame: Hashable, Sendable {
  /// The opening node asks for a stream.
  case open(StreamOpening)
  /// The stream is accepted, with the protocol token that was chosen.
  case accepted(protocolToken: String?)
  /// The stream is refused.
  case refused(HTTPResponse)
  /// A message begins: its kind, its size, and its first bytes, all of them when it is short.
  case message(isText: Bool, total: Int, ArraySlice<UInt8>)
  /// The next bytes of the message that began.
  case more(ArraySlice<UInt8>)
  /// The sender of messages may send as much weight more.
  case credit(Int)
  /// The end of a stream after its messages, or the answer to such an end.
  case close(WebSocketCloseCode, reason: String)
  /// The end of a stream at once.
  case abort
  /// A sign of life, to be answered by ``pong``.
  case ping
  case pong

  /// The most bytes of one frame. Messages are cut shorter, see ``PeerLink/Limits/partBytes``.
  package static let maximumBytes = 64 << 10
  /// The largest message that can be stated, as of a WebSocket.
  static let maximumMessageBytes = 4 << 30
  /// The weight of a frame of a message beside its bytes: what it costs to keep.
  static let weight = 32

  enum Kind: UInt8 {
    case open = 1, accepted, refused, binary, text, more, credit, close, abort, ping, pong
  }

  /// The weight of a frame of a message, which the window of its stream is counted in.
  var weight: Int {
    switch self {
    case .message(isText: _, total: _, let bytes), .more(let bytes): bytes.count + Self.weight
    case .open, .accepted, .refused, .credit, .close, .abort, .ping, .pong: 0
    }
  }

  /// Appends the frame.
  ///
  /// - Complexity: O(bytes).
  package func write(stream: UInt64, to writer: inout ByteWriter) {
    switch self {
    case .message(let isText, let total, let bytes):
      var head = ByteWriter()
      head.writeVarint(total)
      Self.writeHead(stream, isText ? .text : .binary, head.count + bytes.count, to: &writer)
      writer.writeBytes(head.bytes)
      writer.writeBytes(bytes)
    case .more(let bytes):
      Self.writeHead(stream, .more, bytes.count, to: &writer)
      writer.writeBytes(bytes)
    case .open(let opening): Self.write(stream, .open, to: &writer) { opening.write(to: &$0) }
    case .accepted(let token):
      Self.write(stream, .accepted, to: &writer) { if let token { $0.writeBytes(token.utf8) } }
    case .refused(let response): Self.write(stream, .refused, to: &writer) { response.write(to: &$0) }
    case .credit(let weight): Self.write(stream, .credit, to: &writer) { $0.writeVarint(weight) }
    case .close(let code, let reason):
      Self.write(stream, .close, to: &writer) {
        $0.writeLittleEndian(code.rawValue)
        $0.writeBytes(Self.cut(reason).utf8)
      }
    case .abort: Self.writeHead(stream, .abort, 0, to: &writer)
    case .ping: Self.writeHead(stream, .ping, 0, to: &writer)
    case .pong: Self.writeHead(stream, .pong, 0, to: &writer)
    }
  }

  func encoded(stream: UInt64) -> [UInt8] {
    var writer = ByteWriter()
    write(stream: stream, to: &writer)
    return writer.bytes
  }

  /// A reason that is short enough, cut at a character.
  private static func cut(_ reason: String) -> String {
    var reason = reason
    while reason.utf8.count > WebSocketCloseCode.maximumReasonBytes { reason.removeLast() }
    return reason
  }

  private static func writeHead(_ stream: UInt64, _ kind: Kind, _ count: Int, to writer: inout ByteWriter) {
    writer.writeVarint(stream)
    writer.writeByte(kind.rawValue)
    writer.writeVarint(count)
  }

  private static func write(
    _ stream: UInt64, _ kind: Kind, to writer: inout ByteWriter, _ content: (inout ByteWriter) -> Void
  ) {
    var part = ByteWriter()
    content(&part)
    writeHead(stream, kind, part.count, to: &writer)
    writer.writeBytes(part.bytes)
  }
}

extension WebSocketCloseCode {
  /// The most bytes of the reason in a close frame.
  static let maximumReasonBytes = 123
}

extension HTTPResponse {
  /// The most bytes of a refusal's body that are passed on; refusals are short.
  private static let maximumRefusalBytes = 16 << 10

  fileprivate func write(to writer: inout ByteWriter) {
    writer.writeVarint(status)
    headers.write(to: &writer)
    writer.writeBytes(body.prefix(Self.maximumRefusalBytes))
  }
}
