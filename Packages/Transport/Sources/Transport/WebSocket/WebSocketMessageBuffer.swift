/// The payload of one message while it comes in.
///
/// - Guarantee: room is made as bytes come, so that an announcement alone costs nothing: for less than four times what is
///   there, and a message of one frame ends in a place of its size.
/// - Complexity: O(n) for a message of n bytes, however it is cut: every growth at least doubles the room.
struct WebSocketMessageBuffer: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Bytes copied so far: each once when it came, and again when the array moved to a larger place.
  private(set) var copiedBytes: UInt64 = 0

  var count: Int { bytes.count }

  /// Adds a part of a frame's payload, unmasked.
  ///
  /// - Parameters:
  ///   - position: the offset of `part` in the payload of its frame.
  ///   - announced: the size of the message as far as its frames have told.
  mutating func append(_ part: UnsafeRawBufferPointer, mask: WebSocketMask?, position: Int, announced: Int) {
    guard !part.isEmpty else { return }
    let (place, start) = (address, bytes.count)
    makeRoom(for: start + part.count, announced: announced)
    bytes.append(contentsOf: part)
    mask?.apply(to: &bytes, in: start..<bytes.count, position: position)
    copiedBytes += UInt64(part.count + (address == place ? 0 : start))
  }

  /// Hands the bytes over and begins anew.
  mutating func take() -> [UInt8] {
    let whole = bytes
    bytes = []
    return whole
  }

  /// Keeps the first `count` bytes and gives the memory of the others back.
  mutating func truncate(to count: Int) {
    guard bytes.count > count else { return }
    bytes = Array(bytes.prefix(count))
    copiedBytes += UInt64(count)
  }

  private var address: UInt { bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

  private mutating func makeRoom(for needed: Int, announced: Int) {
    let capacity = bytes.capacity
    guard needed > capacity else { return }
    let least = max(needed, 2 * capacity)
    // The halves of what is announced, so that the last growth ends in a place of just the right size.
    var room = announced
    while room / 2 >= least { room /= 2 }
    bytes.reserveCapacity(max(room, least))
  }
}
