/// Numbers for strings, from 0, in the order of their first use.
///
/// Most changesets name one class and a few of its properties. The first ``few`` strings are compared one by one, which
/// costs less than hashing: benchmark row `ot.recorder-100k`.
struct StringInterner: Sendable {
  /// The first strings, up to ``few``.
  private var first: [String] = []
  /// The numbers of all others.
  private var others: [ExactString: UInt32] = [:]

  private static let few = 12

  /// The number of a string, and whether this is its first use. O(1).
  mutating func number(of text: String) -> (number: UInt32, isNew: Bool) {
    if let index = first.firstIndex(where: { $0.isIdentical(to: text) }) { return (UInt32(index), false) }
    if first.count < Self.few {
      if first.isEmpty { first.reserveCapacity(Self.few) }
      first.append(text)
      return (UInt32(first.count - 1), true)
    }
    let key = ExactString(text)
    if let number = others[key] { return (number, false) }
    let number = UInt32(truncatingIfNeeded: first.count + others.count)
    others[key] = number
    return (number, true)
  }
}
