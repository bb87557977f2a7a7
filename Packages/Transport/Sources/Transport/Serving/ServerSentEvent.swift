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
    var text = ""
    if let event { text += "event: \(Self.line(event))\n" }
    if let id { text += "id: \(Self.line(id))\n" }
    // A carriage return and a line feed are one Character.
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: { ["\n", "\r", "\r\n"].contains($0) }) {
      text += "data: \(line)\n"
    }
    return Array((text + "\n").utf8)
  }

  /// A comment, which clients pass over: keeps the connection alive.
  public static let heartbeat = Array(":\n\n".utf8)

  private static func line(_ text: String) -> String {
    String(decoding: text.utf8.filter { $0 != 10 && $0 != 13 && $0 != 0 }, as: UTF8.self)
  }
}
