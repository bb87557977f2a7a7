// A leaf of which few entries changed is written as a patch: the entries inserted into a whole leaf and removed from
// it. One entry then costs its own bytes, not those of its neighbours.
//
//     kind, whole leaf (varint), inserted and removed entries, coded like a delta
//
// Patches do not build on patches: each names the whole leaf and all differences from it.

/// The content of the node of a patched leaf.
final class LeafPatch<Block: TreeBlock>: Sendable {
  /// The node that holds the whole leaf.
  let full: Int64
  let changes: TreeDelta<Block>

  /// A leaf has at least this many entries for each entry of its patch.
  static var share: Int { 8 }

  init(full: Int64, changes: TreeDelta<Block>) {
    self.full = full
    self.changes = changes
  }

  /// The patch that turns the whole leaf into a leaf after edits; nil when the leaf is to be written whole.
  ///
  /// - Parameter count: entries of the leaf after the edits.
  convenience init?(of leaf: TreeNode<Block>, id: Int64, _ edits: ArraySlice<TreeEdit<Block>>, count: Int) {
    let changes =
      if let patch = leaf.patch {
        Self.changes(patch.changes, leaf.block, edits, count)
      } else {
        Self.changes(TreeDelta(), leaf.block, edits, count)
      }
    guard let changes else { return nil }
    self.init(full: leaf.patch?.full ?? id, changes: changes)
  }

  /// The differences between the whole leaf and a leaf after edits; nil when there are too many.
  private static func changes(
    _ before: TreeDelta<Block>, _ leaf: Block, _ edits: ArraySlice<TreeEdit<Block>>, _ count: Int
  ) -> TreeDelta<Block>? {
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
    let changes = TreeDelta(inserted: inserted, removed: removed)
    guard !changes.isEmpty, changes.count * share <= count else { return nil }
    return changes
  }
}

extension TreeBlock {
  /// Appends the entries of another run, from a position on, that are before a key, and skips the entry of the key.
  ///
  /// - Returns: whether there is an entry of the key.
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
  /// Decodes a patch into the leaf that it describes.
  static func decodePatch(_ content: [UInt8], id: Int64, loader: NodeLoader) throws -> TreeNode<Block> {
    try content.withUnsafeBytes { bytes in
      var reader = NodeReader(bytes, node: id)
      _ = try reader.byte()
      let full = try reader.nodeID()
      guard full > 0, full < id else { throw reader.damage("it patches an impossible node") }
      let changes = try TreeDelta<Block>(&reader)
      try reader.finish()
      let whole = try loader.node(full, TreeNode<Block>.self)
      guard whole.level == 0, whole.patch == nil else { throw reader.damage("it patches no whole leaf") }
      let block = whole.block.merged(with: changes.edits[...])
      guard block.count > 0, block.count <= Self.countLimit else { throw reader.damage("its entries do not fit") }
      return TreeNode(leaf: block, patch: LeafPatch(full: full, changes: changes))
    }
  }
}
