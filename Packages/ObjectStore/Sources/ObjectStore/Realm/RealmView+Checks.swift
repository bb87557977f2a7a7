extension RealmView {
  /// Stops the program unless a position is one of `count`; false instead when a read or transaction failed before,
  /// after which the position may have been valid to the program.
  func has(_ position: Int, of count: Int) -> Bool {
    if position >= 0, position < count { return true }
    if isContradictory { return false }
    checkPosition(position, of: count)
    return true
  }

  /// Whether a failed read or transaction may have made the view contradict what the program saw or wrote before.
  var isContradictory: Bool { refusal != nil || faults.isFaulty }
}
