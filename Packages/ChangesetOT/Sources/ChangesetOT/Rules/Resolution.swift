/// What a meeting of two instructions did, apart from changing them.
struct Resolution: OptionSet {
  let rawValue: UInt8

  static let dropLeft = Resolution(rawValue: 1)
  static let dropRight = Resolution(rawValue: 2)
  static let dropBoth: Resolution = [.dropLeft, .dropRight]
  /// The side that erases a class must first erase a column that linked to it: the one whose declaration is dropped.
  static let eraseColumnFirst = Resolution(rawValue: 4)

  /// The same resolution, seen with the sides exchanged.
  var swapped: Resolution {
    var result = intersection(.eraseColumnFirst)
    if contains(.dropLeft) { result.insert(.dropRight) }
    if contains(.dropRight) { result.insert(.dropLeft) }
    return result
  }
}

/// A meeting that honest authors cannot bring about.
struct RuleFailure: Error {
  var reason: TransformError.Reason
  var message: String

  static func schema(_ message: String) -> RuleFailure { RuleFailure(reason: .schemaMismatch, message: message) }
  static func list(_ message: String) -> RuleFailure { RuleFailure(reason: .inconsistentList, message: message) }
  static func path(_ message: String) -> RuleFailure { RuleFailure(reason: .inconsistentPath, message: message) }
}

/// What the rules know about a meeting besides the two instructions.
struct ConflictPair {
  var left: Address
  var right: Address
  /// Whether the left one is the earlier. Different changesets never have equal origins.
  var leftIsEarlier: Bool
  var mode: Transformer.Mode

  var isSameObject: Bool { left.isSameObject(as: right) }
  var isSameField: Bool { left.isSameField(as: right) }
  var dropEarlier: Resolution { leftIsEarlier ? .dropLeft : .dropRight }

  func isSameTarget(_ left: Target, _ right: Target) -> Bool {
    isSameField && left.path.isSame(as: right.path)
  }

  func isSameContainer(_ left: Target, _ right: Target) -> Bool {
    isSameField && left.path.isSameContainer(as: right.path)
  }
}
