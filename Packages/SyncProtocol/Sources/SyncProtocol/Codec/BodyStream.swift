/// A forward reader of a body. A compressed body is inflated as far as it is read: a reader that stops at the first fault
/// inflates nothing behind it, and the inflated body never exists as a whole.
struct BodyStream {
  /// The next bytes, already inflated.
  private(set) var window: ArraySlice<UInt8>
  private let inflation: Inflation?
  private let allowsTrailingBytes: Bool
  /// The number of bytes read.
  private(set) var position = 0
  /// The number of bytes that remain, by the stated size.
  private(set) var remaining: Int

  /// The number of bytes inflated at a time.
  private static let step = 64 << 10

  /// A body that is not compressed.
  init(_ body: ArraySlice<UInt8>) {
    window = body
    inflation = nil
    allowsTrailingBytes = false
    remaining = body.count
  }

  /// A compressed body with a stated size; nil when `packed` cannot contain so many bytes.
  init?(packed: ArraySlice<UInt8>, size: Int, allowsTrailingBytes: Bool) {
    guard let inflation = BodyCompression.inflation(of: packed, size: size) else { return nil }
    self.inflation = inflation
    self.allowsTrailingBytes = allowsTrailingBytes
    window = []
    remaining = size
  }

  var isAtEnd: Bool { remaining == 0 }

  /// Extends ``window`` to `count` bytes, or to all that remain.
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

  /// Skips bytes of the window.
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
