import RecordStore

/// Stops the program unless a rule of the API is kept.
func rule(_ holds: Bool, _ text: @autoclosure () -> String) {
  if !holds { violated(text()) }
}

/// Stops the program unless a position is one of `count`.
func checkPosition(_ position: Int, of count: Int) {
  rule(position >= 0, "Cannot pass a negative value: index \(position) is out of bounds.")
  rule(position < count, "Index \(position) is out of bounds (must be less than \(count)).")
}
