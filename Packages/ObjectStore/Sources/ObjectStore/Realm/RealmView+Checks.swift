extension RealmView {
  /// Stops the program unless a position is one of `count`; false where it would have been one in a file without a fault.
  func has(_ position: Int, of count: Int) -> Bool {
    if position >= 0, position < count { return true }
    if isContradictory { return false }
    checkPosition(position, of: count)
    return true
  }

  /// Whether what the program finds may contradict what it found or did before, through no fault of its own.
  var isContradictory: Bool { refusal != nil || faults.isFaulty }
}
