import ByteCoding

/// The texts that a changeset defines, with the bytes that define them: those of one app define the same names again and
/// again, which are known by their bytes.
struct StringDefinitions: Sendable {
  /// In the order of their numbers.
  private(set) var all: [String] = []
  /// The definitions of the first of them, one behind the other.
  private var bytes: [UInt8] = []
  /// Where each of these ends.
  private var ends: [Int] = []

  /// Definitions beyond this number are values rather than names, and are not expected again.
  private static let limit = 256

  /// Passes the definition of a number, with code and number, when it is known and comes next.
  @inline(__always) func skip(_ number: Int, in input: inout ByteReader) -> Bool {
    guard number < ends.count else { return false }
    return input.skip((number == 0 ? 0 : ends[number - 1])..<ends[number], of: bytes)
  }

  mutating func append(_ text: String, definedBy definition: UnsafeRawBufferPointer) {
    all.append(text)
    guard all.count == ends.count + 1, all.count <= Self.limit else { return }
    bytes.append(contentsOf: definition)
    ends.append(bytes.count)
  }

  /// Forgets those from a number on.
  mutating func removeAll(from number: Int) {
    guard number < all.count else { return }
    all.removeSubrange(number...)
    guard number < ends.count else { return }
    bytes.removeSubrange((number == 0 ? 0 : ends[number - 1])...)
    ends.removeSubrange(number...)
  }

  /// Whether there are so few that they may be kept.
  var areFew: Bool { all.count <= Self.limit }
}
