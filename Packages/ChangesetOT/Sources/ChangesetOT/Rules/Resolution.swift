/// The outcome of a rule apart from changed instructions: the instructions that are dropped or inserted.
struct Resolution: OptionSet {
  let rawValue: UInt8

  static let dropLeft = Resolution(rawValue: 1)
  static let dropRight = Resolution(rawValue: 2)
  static let dropBoth: Resolution = [.dropLeft, .dropRight]
  /// The side that erases a class first erases the column that links to it: the column whose declaration is dropped.
  static let eraseColumnFirst = Resolution(rawValue: 4)

  /// The resolution with the sides exchanged.
  var swapped: Resolution {
    var result = intersection(.eraseColumnFirst)
    if contains(.dropLeft) { result.insert(.dropRight) }
    if contains(.dropRight) { result.insert(.dropLeft) }
    return result
  }
}
