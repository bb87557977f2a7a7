import Transport

/// The received messages of a stream that its reader has not taken, the message that is arriving, and the window: the weight that the
/// other node may send before the reader takes something.
struct StreamInbox: Sendable {
  /// A message of which parts are still to come.
  private struct Arriving: Sendable {
    var isText: Bool
    var total: Int
    var received: Int
    var bytes: [UInt8]
    /// Whether it is above the limit: it was reported, and the rest is passed over.
    var isSkipped = false

    /// Takes the next bytes; false for more than belong to it.
    mutating func take(_ part: ArraySlice<UInt8>) -> Bool {
      guard part.count <= total - received else { return false }
      received += part.count
      if !isSkipped { bytes += part }
      return true
    }
  }

  private var messages = FIFOQueue<WebSocketMessage>()
  private var arriving: Arriving?
  /// The largest message that is kept; nil until the stream is accepted, while no more than the window arrives.
  private var limit: Int?
  /// The weight that the other node may still send.
  private var window: Int
  /// The weight that arrived and was not given back.
  private(set) var held = 0

  init(window: Int) { self.window = window }

  var isEmpty: Bool { messages.isEmpty }

  /// The bytes of the message that is arriving.
  var arrivingBytes: Int { arriving?.bytes.count ?? 0 }

  /// Sets the largest message that is kept, once the stream is accepted.
  mutating func setLimit(_ limit: Int) {
    self.limit = limit
    skipIfTooLarge()
  }

  /// Takes a frame of a message.
  ///
  /// - Throws: ``LinkViolation`` for one beyond the window, or out of place.
  /// - Complexity: O(bytes), amortised.
  mutating func take(_ frame: LinkFrame) throws(LinkViolation) {
    guard frame.weight <= window else { throw LinkViolation("a message beyond the window of its stream") }
    window -= frame.weight
    held += frame.weight
    switch frame {
    case .message(let isText, let total, let bytes):
      guard arriving == nil else { throw LinkViolation("a message inside of another") }
      if bytes.count == total, total <= limit(isText) { return messages.append(try Self.message(isText, Array(bytes))) }
      arriving = Arriving(isText: isText, total: total, received: bytes.count, bytes: Array(bytes))
      skipIfTooLarge()
    case .more(let bytes):
      guard arriving?.take(bytes) ?? false else { throw LinkViolation("a part of no message") }
    case .open, .accepted, .refused, .credit, .close, .abort, .ping, .pong: return
    }
    guard let whole = arriving, whole.received == whole.total else { return }
    arriving = nil
    if !whole.isSkipped { messages.append(try Self.message(whole.isText, whole.bytes)) }
  }

  private static func message(_ isText: Bool, _ bytes: [UInt8]) throws(LinkViolation) -> WebSocketMessage {
    guard isText else { return .binary(bytes) }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw LinkViolation("a text that is not UTF-8") }
    return .text(bytes)
  }

  private func limit(_ isText: Bool) -> Int {
    let limit = limit ?? .max
    return isText ? min(limit, WebSocketDecoder.maximumTextBytes) : limit
  }

  private mutating func skipIfTooLarge() {
    guard let message = arriving, !message.isSkipped, message.total > limit(message.isText) else { return }
    messages.append(Self.oversized(message.bytes, message.total))
    arriving?.bytes = []
    arriving?.isSkipped = true
  }

  private static func oversized(_ bytes: [UInt8], _ count: Int) -> WebSocketMessage {
    .oversized(head: Array(bytes.prefix(WebSocketDecoder.oversizedHeadBytes)), byteCount: count)
  }

  /// The next message for the reader.
  mutating func popFirst() -> WebSocketMessage? {
    guard let message = messages.popFirst() else { return nil }
    switch message {
    // It arrived before the limit was known.
    case .binary(let bytes) where bytes.count > limit(false), .text(let bytes) where bytes.count > limit(true):
      return Self.oversized(bytes, bytes.count)
    case .binary, .text, .oversized: return message
    }
  }

  /// Drops what the reader has not taken.
  mutating func discard() {
    messages = FIFOQueue()
    arriving?.bytes = []
    arriving?.isSkipped = true
  }

  /// Gives the held weight back to the other node.
  ///
  /// - Returns: the weight, to be sent as credit.
  mutating func giveBack() -> Int {
    defer { held = 0 }
    window += held
    return held
  }
}
