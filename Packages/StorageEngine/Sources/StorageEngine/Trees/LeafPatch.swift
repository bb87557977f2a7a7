// A leaf of which few entries changed is written as a patch: what was inserted into a whole leaf and removed from it.
// One entry then costs its own bytes, not those of its neighbours.
//
//     kind, whole leaf (varint), inserted and removed entries, coded like an overlay
//
// Patches do not build on patches: each names the whole leaf and everything that differs from it.

/// What a leaf's own node says when it is a patch.
final class LeafPatch<Block: TreeBlock>: Sendable {
  /// The node that holds the whole leaf.
  let full: Int64
  let changes: TreeOverlay<Block>

  /// A leaf has at least this many entries for each one that its patch names.
  static var share: Int { 8 }

  init(full: Int64, changes: TreeOverlay<Block>) {
    self.full = full
    self.changes = changes
  }

  /// The patch that says what edits make of a leaf; nil when the leaf is to be written whole.
  ///
  /// - Parameter count: entries of the leaf after the edits.
  convenience init?(of leaf: TreeNode<Block>, id: Int64, _ edits: ArraySlice<TreeEdit<Block>>, count: Int) {
    let changes =
      if let patch = leaf.patch {
        Self.changes(patch.changes, leaf.block, edits, count)
      } else {
        Self.changes(TreeOverlay(), leaf.block, edits, count)
      }
    guard let changes else { return nil }
    self.init(full: leaf.patch?.full ?? id, changes: changes)
  }

  /// How a leaf differs from the whole one after edits; nil when that is too much.
  private static func changes(
    _ before: TreeOverlay<Block>, _ leaf: Block, _ edits: ArraySlice<TreeEdit<Block>>, _ count: Int
  ) -> TreeOverlay<Block>? {
    guard (edits.count - before.count) * share <= count else { return nil }
    let (oldInsertions, oldRemovals) = (before.inserted, before.removed)
    let room = before.count + edits.count
    var (inserted, removed) = (Block(room: room), Block(room: room))
    var (insertions, removals) = (0, 0)
    for edit in edits {
      let wasInserted = inserted.take(&insertions, of: oldInsertions, before: edit.key)
      let wasRemoved = removed.take(&removals, of: oldRemovals, before: edit.key)
      // In the whole leaf.
      let wasThere = wasRemoved || !wasInserted && leaf.contains(edit.key)
      if let content = edit.content {
        guard !wasThere else { return nil }
        inserted.append(edit.key, content)
      } else if wasThere {
        removed.append(edit.key, Block.noContent)
      }
    }
    inserted.append(insertions..<oldInsertions.count, of: oldInsertions)
    removed.append(removals..<oldRemovals.count, of: oldRemovals)
    let changes = TreeOverlay(inserted: inserted, removed: removed)
    guard !changes.isEmpty, changes.count * share <= count else { return nil }
    return changes
  }
}

extension TreeBlock {
  /// Takes over the entries of another run, from a position on, that are before a key, and passes by that of the key.
  ///
  /// - Returns: whether there is one of the key.
  fileprivate mutating func take(_ position: inout Int, of other: Self, before key: Key) -> Bool {
    guard position < other.count else { return false }
    let bound = max(other.lowerBound(key), position)
    append(position..<bound, of: other)
    let isThere = bound < other.count && other.compare(bound, key) == 0
    position = isThere ? bound + 1 : bound
    return isThere
  }
}

extension TreeNode {
  /// The leaf that a patch describes.
  static func decodePatch(_ content: [UInt8], id: Int64, loader: NodeLoader) throws -> TreeNode<Block> {
    try content.withUnsafeBytes { bytes in
      var reader = NodeReader(bytes, node: id)
      _ = try reader.byte()
      let full = try reader.nodeID()
      guard full > 0, full < id else { throw reader.damage("it patches an impossible node") }
      let changes = try TreeOverlay<Block>(&reader)
      try reader.finish()
      let whole = try loader.node(full, TreeNode<Block>.self)
      guard whole.level == 0, whole.patch == nil else { throw reader.damage("it patches no whole leaf") }
      let block = whole.block.merged(with: changes.edits[...])
      guard block.count > 0, block.count <= Self.countLimit else { throw reader.damage("its entries do not fit") }
      return TreeNode(leaf: block, patch: LeafPatch(full: full, changes: changes))
    }
  }
}
