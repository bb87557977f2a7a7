/// One message of a recorded conversation between stock clients and the reference server.
public struct RecordedMessage: Decodable, Sendable {
  /// The number of the connection.
  public var conn: Int
  /// `client` or `server`.
  public var from: String
  /// `http`, `binary`, …
  public var kind: String
  /// The text of a message of HTTP.
  public var text: String?
  /// The first line of a message of a WebSocket.
  public var head: String?
  /// The bytes behind that line, in hexadecimal digits.
  public var body_hex: String?
  /// Whether the message did not arrive.
  public var lost: Bool?

  /// Whether a client sent it.
  public var isClient: Bool { from == "client" }

  /// The whole message of a WebSocket.
  public var bytes: [UInt8] {
    let hex = Array(body_hex ?? "")
    let body = stride(from: 0, to: hex.count - 1, by: 2).compactMap { UInt8(String(hex[$0...($0 + 1)]), radix: 16) }
    return Array((head ?? "").utf8) + [UInt8(ascii: "\n")] + body
  }
}
