/// The payload of an incomplete message.
///
/// - Guarantee: memory is allocated as bytes arrive, so that an announcement alone costs nothing: less than four times the
///   bytes that arrived, and for a message of one frame in the end exactly its size.
/// - Complexity: O(*n*) for a message of *n* bytes in any number of parts: every growth at least doubles the capacity.
struct WebSocketMessageBuffer: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Bytes copied so far: each once on arrival, and again when the array moved to larger memory.
  private(set) var copiedBytes: UInt64 = 0

  var count: Int { bytes.count }

  /// Adds a part of a frame's payload, unmasked.
  ///
  /// - Parameters:
  ///   - position: the offset of `part` in the payload of its frame.
  ///   - announced: the size of the message announced by its frames so far.
  mutating func append(_ part: UnsafeRawBufferPointer, mask: WebSocketMask?, position: Int, announced: Int) {
    guard !part.isEmpty else { return }
    let (before, start) = (address, bytes.count)
    makeRoom(for: start + part.count, announced: announced)
    bytes.append(contentsOf: part)
    mask?.apply(to: &bytes, in: start..<bytes.count, position: position)
    copiedBytes += UInt64(part.count + (address == before ? 0 : start))
  }

  /// Returns the bytes and empties the buffer.
  mutating func take() -> [UInt8] {
    let whole = bytes
    bytes = []
    return whole
  }

  /// Keeps the first `count` bytes and frees the memory of the others.
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
    // Capacities are the announced size halved, so that the last growth has exactly the right size.
    var room = announced
    while room / 2 >= least { room /= 2 }
    bytes.reserveCapacity(max(room, least))
  }
}
