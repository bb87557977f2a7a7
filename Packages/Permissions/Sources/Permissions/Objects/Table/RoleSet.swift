/// A set of roles by number.
///
/// The numbers below 64 are bits; later ones are kept in order. A set takes memory for the roles that are in it, whatever
/// their numbers are. A table of permissions gives a number to one name only, so a set stays right when roles are added.
public struct RoleSet: Hashable, Sendable {
  private var low: UInt64 = 0
  /// The numbers from 64 on, ascending.
  private var high: [Int] = []

  /// The empty set.
  public init() {}

  /// A set of roles by their numbers.
  public init(_ numbers: some Sequence<Int>) {
    for number in numbers { insert(number) }
  }

  /// Whether no role is in the set.
  public var isEmpty: Bool { low == 0 && high.isEmpty }

  /// The roles of the set, ascending.
  ///
  /// - Complexity: O(*n*) for *n* roles of the set.
  var numbers: [Int] { (0..<64).filter { low >> UInt64($0) & 1 != 0 } + high }

  /// Whether the role is in the set.
  ///
  /// - Complexity: O(1) for the first 64 roles of a realm, O(log *n*) for the others in a set of *n*.
  public func contains(_ number: Int) -> Bool {
    if number < 64 { return low >> UInt64(number) & 1 != 0 }
    if high.isEmpty { return false }
    let position = position(of: number)
    return position < high.count && high[position] == number
  }

  /// Puts a role into the set.
  ///
  /// - Complexity: O(*n*) for *n* roles of the set, O(1) for one with the highest number.
  public mutating func insert(_ number: Int) {
    if number < 64 {
      low |= 1 << UInt64(number)
    } else if high.last.map({ $0 < number }) ?? true {
      high.append(number)
    } else if case let position = position(of: number), high[position] != number {
      high.insert(number, at: position)
    }
  }

  /// Takes a role out of the set.
  ///
  /// - Complexity: O(*n*) for *n* roles of the set.
  public mutating func remove(_ number: Int) {
    if number < 64 {
      low &= ~(1 << UInt64(number))
    } else if case let position = position(of: number), position < high.count, high[position] == number {
      high.remove(at: position)
    }
  }

  /// The place of the first later number that is not less than `number`.
  private func position(of number: Int) -> Int {
    var (start, end) = (0, high.count)
    while start < end {
      let middle = (start + end) / 2
      if high[middle] < number { start = middle + 1 } else { end = middle }
    }
    return start
  }
}
