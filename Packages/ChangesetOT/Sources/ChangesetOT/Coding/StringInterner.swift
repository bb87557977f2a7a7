/// Texts by the order in which they came, from 0.
///
/// Most changesets name one class and a few of its properties: so few texts are compared one by one, which costs less
/// than to hash them.
struct StringInterner: Sendable {
  /// The first of all texts, up to ``few``.
  private var first: [String] = []
  /// The others.
  private var others: [ExactString: UInt32] = [:]

  private static let few = 12

  /// The number of a text, which is new when it did not come before.
  mutating func number(of text: String) -> (number: UInt32, isNew: Bool) {
    if let place = first.firstIndex(where: { $0.isIdentical(to: text) }) { return (UInt32(place), false) }
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
