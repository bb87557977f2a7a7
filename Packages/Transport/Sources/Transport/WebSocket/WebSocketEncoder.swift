/// The sending half of RFC 6455 as a value: messages in, bytes out.
///
/// A message is one frame, as stock Realm clients send and expect it.
///
///     var encoder = WebSocketEncoder(role: .server)
///     encoder.binary([1, 2])   // [0x82, 0x02, 1, 2]
public struct WebSocketEncoder: Sendable {
  private let role: WebSocketRole
  private var random: any RandomNumberGenerator & Sendable

  /// An encoder for one connection.
  ///
  /// - Parameters:
  ///   - role: this end; clients mask.
  ///   - random: gives the masks; must not be guessable outside of tests.
  public init(role: WebSocketRole, random: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
    self.role = role
    self.random = random
  }

  /// One binary message as a single frame. O(*n*) for *n* bytes.
  public mutating func binary(_ payload: [UInt8]) -> [UInt8] { frame(.binary, payload) }

  /// One text message as a single frame. O(*n*) for *n* bytes.
  public mutating func text(_ text: String) -> [UInt8] { frame(.text, Array(text.utf8)) }

  /// A ping with the first 125 bytes of a payload.
  public mutating func ping(_ payload: [UInt8]) -> [UInt8] { frame(.ping, Array(payload.prefix(125))) }

  /// A pong with the first 125 bytes of a payload.
  public mutating func pong(_ payload: [UInt8]) -> [UInt8] { frame(.pong, Array(payload.prefix(125))) }

  /// A close frame. A code that must not be sent becomes an empty frame; the reason is cut at 123 bytes, at a character.
  public mutating func close(_ code: WebSocketCloseCode, reason: String) -> [UInt8] {
    guard code.isSendable else { return frame(.close, []) }
    var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
    for character in reason {
      guard payload.count + character.utf8.count <= 125 else { break }
      payload.append(contentsOf: character.utf8)
    }
    return frame(.close, payload)
  }

  mutating func frame(
    _ opcode: WebSocketFrameHeader.Opcode, _ payload: [UInt8], isFinal: Bool = true
  ) -> [UInt8] {
    let mask = role == .client ? WebSocketMask(key: UInt32(truncatingIfNeeded: random.next())) : nil
    let header = WebSocketFrameHeader(isFinal: isFinal, opcode: opcode, mask: mask, length: payload.count)
    var bytes = header.encoded()
    let start = bytes.count
    bytes.reserveCapacity(start + payload.count)
    bytes.append(contentsOf: payload)
    mask?.apply(to: &bytes, in: start..<bytes.count, position: 0)
    return bytes
  }
}
