/// One event of a stream of server-sent events (HTML Living Standard, section 9.2).
///
///     ServerSentEvent(event: "log", data: "two\nlines").encoded   // "event: log\ndata: two\ndata: lines\n\n"
public struct ServerSentEvent: Hashable, Sendable {
  /// The kind of the event; `message` for nil.
  public var event: String?
  /// The id from which a client resumes, in the header `Last-Event-ID`.
  public var id: String?
  /// The text; line breaks of any kind arrive as line feeds.
  public var data: String

  /// An event with all its parts.
  public init(event: String? = nil, id: String? = nil, data: String) {
    self.event = event
    self.id = id
    self.data = data
  }

  /// The bytes on the wire. Line breaks and NUL in kind and id are dropped, so that no text can begin another field.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.utf8.count + 64)
    if let event { bytes += Array("event: \(Self.line(event))\n".utf8) }
    if let id { bytes += Array("id: \(Self.line(id))\n".utf8) }
    bytes += Self.field
    var isAfterReturn = false
    for byte in data.utf8 {
      let isSecondOfBreak = byte == 10 && isAfterReturn
      isAfterReturn = byte == 13
      if isSecondOfBreak { continue }
      if byte == 10 || byte == 13 {
        bytes.append(10)
        bytes += Self.field
      } else {
        bytes.append(byte)
      }
    }
    return bytes + [10, 10]
  }

  private static let field = Array("data: ".utf8)

  /// A comment, which clients pass over: keeps the connection alive.
  public static let heartbeat = Array(":\n\n".utf8)

  private static func line(_ text: String) -> String {
    String(decoding: text.utf8.filter { $0 != 10 && $0 != 13 && $0 != 0 }, as: UTF8.self)
  }
}
