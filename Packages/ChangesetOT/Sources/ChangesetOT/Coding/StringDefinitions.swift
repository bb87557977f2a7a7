import ByteCoding

/// The strings that a changeset defines, with the bytes of their definitions: the next changeset of the same app mostly
/// repeats them, and equal bytes need no decoding.
struct StringDefinitions: Sendable {
  /// The strings by number.
  private(set) var all: [String] = []
  /// The definitions of the first strings, up to ``limit``, one after the other.
  private var bytes: [UInt8] = []
  /// The end of each of these definitions in ``bytes``.
  private var ends: [Int] = []

  /// Definitions beyond this number are values rather than names, and unlikely to be repeated.
  private static let limit = 256

  /// Skips the definition of a number, code and number included, when the next bytes are equal to it.
  func skip(_ number: Int, in input: inout ByteReader) -> Bool {
    guard number < ends.count else { return false }
    return input.skip((number == 0 ? 0 : ends[number - 1])..<ends[number], of: bytes)
  }

  mutating func append(_ text: String, definedBy definition: UnsafeRawBufferPointer) {
    all.append(text)
    guard all.count == ends.count + 1, all.count <= Self.limit else { return }
    bytes.append(contentsOf: definition)
    ends.append(bytes.count)
  }

  /// Removes the strings from a number on.
  mutating func removeAll(from number: Int) {
    guard number < all.count else { return }
    all.removeSubrange(number...)
    guard number < ends.count else { return }
    bytes.removeSubrange((number == 0 ? 0 : ends[number - 1])...)
    ends.removeSubrange(number...)
  }

  /// Whether the strings are few enough to be kept for the next changeset.
  var areFew: Bool { all.count <= Self.limit }
}
