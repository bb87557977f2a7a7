/// The bytes of a body from front to back. A compressed body is inflated as far as it is read: a reader that stops at the first
/// fault has paid for nothing behind it, and the inflated body never exists as a whole.
struct BodyStream {
  /// Bytes that can be looked at without inflating more.
  private(set) var window: ArraySlice<UInt8>
  private let inflation: Inflation?
  private let allowsTrailingBytes: Bool
  /// The bytes of the body that were taken.
  private(set) var position = 0
  /// The bytes of the body that were not taken, by its stated size.
  private(set) var remaining: Int

  /// How much is inflated at a time.
  private static let step = 64 << 10

  /// A body that is not compressed.
  init(_ body: ArraySlice<UInt8>) {
    window = body
    inflation = nil
    allowsTrailingBytes = false
    remaining = body.count
  }

  /// A compressed body that is said to have `size` bytes; nil when so many cannot be in `packed`.
  init?(packed: ArraySlice<UInt8>, size: Int, allowsTrailingBytes: Bool) {
    guard let inflation = BodyCompression.inflation(of: packed, size: size) else { return nil }
    self.inflation = inflation
    self.allowsTrailingBytes = allowsTrailingBytes
    window = []
    remaining = size
  }

  var isAtEnd: Bool { remaining == 0 }

  /// Makes ``window`` hold `count` bytes, or all that remain.
  mutating func fill(_ count: Int) throws(MessageDecodingError) {
    guard window.count < min(count, remaining), let inflation else { return }
    let kept = window.count
    let wanted = min(max(count, Self.step), remaining)
    var next = Array(window)
    next.reserveCapacity(wanted)
    var isWhole = true
    let more = [UInt8](unsafeUninitializedCapacity: wanted - kept) { room, count in
      let produced = inflation.read(into: UnsafeMutableBufferPointer(rebasing: room[..<(wanted - kept)]))
      isWhole = produced == wanted - kept
      count = produced ?? 0
    }
    guard isWhole else { throw MessageDecodingError(.badCompression, at: position) }
    next.append(contentsOf: more)
    window = next[...]
  }

  /// Passes over bytes of the window.
  mutating func skip(_ count: Int) {
    window.removeFirst(count)
    position += count
    remaining -= count
  }

  /// The next `count` bytes, at most ``remaining``, in an array of their own.
  mutating func take(_ count: Int) throws(MessageDecodingError) -> [UInt8] {
    guard window.count < count, let inflation else {
      let bytes = Array(window.prefix(count))
      skip(bytes.count)
      return bytes
    }
    let front = window
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { room, written in
      _ = room[..<front.count].initialize(fromContentsOf: front)
      written =
        front.count + (inflation.read(into: UnsafeMutableBufferPointer(rebasing: room[front.count..<count])) ?? 0)
    }
    guard bytes.count == count else { throw MessageDecodingError(.badCompression, at: position) }
    window = []
    position += count
    remaining -= count
    return bytes
  }

  /// Throws unless the stream of a compressed body ends where the body does.
  func end() throws(MessageDecodingError) {
    guard let inflation else { return }
    guard inflation.endsHere(allowsTrailingBytes: allowsTrailingBytes) else {
      throw MessageDecodingError(.badCompression, at: position)
    }
  }
}
