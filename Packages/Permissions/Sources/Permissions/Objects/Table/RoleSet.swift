/// A set of roles by number, as bits.
///
/// The first 64 roles of a realm need no memory of their own. A table of permissions numbers roles from 0 and never
/// gives a number to another name, so a set stays right when roles are added.
public struct RoleSet: Hashable, Sendable {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  /// The empty set.
  public init() {}

  /// A set of roles by their numbers.
  public init(_ numbers: some Sequence<Int>) {
    for number in numbers { insert(number) }
  }

  /// Whether the role is in the set.
  ///
  /// - Complexity: O(1).
  public func contains(_ number: Int) -> Bool {
    if number < 64 { return low >> UInt64(number) & 1 != 0 }
    let word = number / 64 - 1
    return word < high.count && high[word] >> UInt64(number % 64) & 1 != 0
  }

  /// Puts a role into the set.
  ///
  /// - Complexity: O(1), amortised over the numbers of a table.
  public mutating func insert(_ number: Int) {
    if number < 64 {
      low |= 1 << UInt64(number)
    } else {
      let word = number / 64 - 1
      while high.count <= word { high.append(0) }
      high[word] |= 1 << UInt64(number % 64)
    }
  }

  /// Takes a role out of the set.
  ///
  /// - Complexity: O(1).
  public mutating func remove(_ number: Int) {
    if number < 64 {
      low &= ~(1 << UInt64(number))
    } else if number / 64 - 1 < high.count {
      high[number / 64 - 1] &= ~(1 << UInt64(number % 64))
      while high.last == 0 { high.removeLast() }
    }
  }
}
