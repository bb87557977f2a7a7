/// The context of a pair rule: the addresses of both instructions, and which of them is the earlier.
struct ConflictPair {
  var left: Address
  var right: Address
  /// Whether the left instruction is the earlier one. Different changesets never have equal origins.
  var leftIsEarlier: Bool
  var mode: Transformer.Mode

  var isSameObject: Bool { left.isSameObject(as: right) }
  var isSameField: Bool { left.isSameField(as: right) }
  /// The resolution "the later one wins".
  var dropEarlier: Resolution { leftIsEarlier ? .dropLeft : .dropRight }

  func isSameTarget(_ left: Target, _ right: Target) -> Bool {
    isSameField && left.path.isSame(as: right.path)
  }

  func isSameContainer(_ left: Target, _ right: Target) -> Bool {
    isSameField && left.path.isSameContainer(as: right.path)
  }
}
