/// The messages of a stream that wait to be sent, and the credit that the other node gave.
struct StreamOutbox: Sendable {
  private var messages = FIFOQueue<(isText: Bool, bytes: [UInt8])>()
  /// The bytes of the first message that were sent.
  private var sentOfFirst = 0
  /// The weight that the other node takes now.
  private(set) var credit: Int
  /// The bytes that wait, with ``LinkFrame/weight`` for each message.
  private(set) var byteCount = 0

  init(credit: Int) { self.credit = credit }

  var isEmpty: Bool { messages.isEmpty }

  mutating func append(isText: Bool, _ bytes: [UInt8]) {
    messages.append((isText, bytes))
    byteCount += bytes.count + LinkFrame.weight
  }

  /// Adds credit.
  ///
  /// - Throws: ``LinkViolation`` for more than a window.
  mutating func add(credit more: Int, window: Int) throws(LinkViolation) {
    guard more <= window - credit else { throw LinkViolation("more credit than a window") }
    credit += more
  }

  /// Whether there is a message, and credit for a part of it that is worth a frame.
  func maySend(partBytes: Int) -> Bool {
    guard let first = messages.first else { return false }
    return credit >= LinkFrame.weight + min(first.bytes.count - sentOfFirst, partBytes / 4)
  }

  /// Takes the next frame from the messages; nil without any, or without credit.
  ///
  /// - Complexity: O(1).
  mutating func nextFrame(partBytes: Int) -> LinkFrame? {
    guard maySend(partBytes: partBytes), let first = messages.first else { return nil }
    let (isText, bytes) = first
    let count = min(bytes.count - sentOfFirst, partBytes, credit - LinkFrame.weight)
    let part = bytes[sentOfFirst..<sentOfFirst + count]
    let frame: LinkFrame =
      sentOfFirst == 0 ? .message(isText: isText, total: bytes.count, part) : .more(part)
    credit -= count + LinkFrame.weight
    byteCount -= count
    sentOfFirst += count
    if sentOfFirst == bytes.count {
      _ = messages.popFirst()
      sentOfFirst = 0
      byteCount -= LinkFrame.weight
    }
    return frame
  }
}
