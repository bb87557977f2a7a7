/// An index of integers with nothing beside its tree, for look-ups that count few references.
final class PlainIntTree: Sendable {
  private let slot: NodeSlot

  /// Nil for an index that is empty, has an overlay or is none of integers.
  init?(_ state: IndexState, _ slot: NodeSlot?) {
    guard case .int(_, let overlay) = state, overlay.isEmpty, let slot else { return nil }
    self.slot = slot
  }

  /// The least row with this key, or none; nil of the outer kind when it may lie beyond the leaf that was looked at.
  func firstRow(_ key: Int64, _ loader: NodeLoader) throws -> RowKey?? {
    let from = IntKey(number: key, row: .min)
    var node = try loader.node(slot, TreeNode<IntBlock>.self)
    while node.level > 0 { node = try node.child(node.block.childIndex(from), loader) }
    let index = node.block.lowerBound(from)
    guard index < node.block.count else { return nil }
    return .some(node.block.numbers[index] == key ? RowKey(node.block.rows[index]) : nil)
  }
}
