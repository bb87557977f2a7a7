/// The key of an entry in an index of integers: the indexed number, then the row.
struct IntKey: Hashable, Comparable, Sendable {
  var number: Int64
  var row: Int64

  static func < (left: IntKey, right: IntKey) -> Bool {
    left.number != right.number ? left.number < right.number : left.row < right.row
  }
}
