/// Changes to a tree that are not worth rewriting its pages yet: kept sorted beside the root and merged by readers.
///
/// One insertion would rewrite a path of pages; sixty of them, put into the tree a run at a time, share most of it.
///
/// Invariant: no entry of ``inserted`` is in the tree, and every entry of ``removed`` is.
struct TreeOverlay<Block: TreeBlock>: Sendable {
  var inserted = Block()
  var removed = Block()

  var count: Int { inserted.count + removed.count }
  var isEmpty: Bool { count == 0 }
  var cost: Int { inserted.cost + removed.cost }

  /// Entries that an overlay holds at most, and how many stay when it is emptied into the tree. Transactions of many edits,
  /// which write table nodes to the file anyway, leave up to ``TreeBlock/wideOverlay``.
  static var limit: Int { 64 }
  static var rest: Int { 48 }
  static var costLimit: Int { 2048 }

  var exceedsLimit: Bool { count > Self.limit || cost > Self.costLimit }
  /// Whether it holds more than transactions of many edits leave.
  var exceedsWideLimit: Bool { exceedsLimit && count > Block.wideOverlay }

  func encode(into writer: inout NodeWriter) {
    for block in [inserted, removed] {
      writer.count(block.count)
      if block.count > 0 { block.encode(into: &writer) }
    }
  }

  init() {}

  /// No changes; room for so many insertions or removals is made once there are several.
  init(room: Int) {
    inserted = Block(room: room)
    removed = Block(room: room)
  }

  init(_ reader: inout NodeReader) throws {
    inserted = try Self.block(&reader)
    removed = try Self.block(&reader)
  }

  private static func block(_ reader: inout NodeReader) throws -> Block {
    let count = try reader.count(limit: 1 << 16)
    return count == 0 ? Block() : try Block.decode(&reader, count: count)
  }

  func isRemoved(_ block: Block, _ index: Int) -> Bool {
    removed.count > 0 && removed.contains(block.key(index))
  }

  /// The changes as edits, ascending.
  var edits: [TreeEdit<Block>] {
    var result: [TreeEdit<Block>] = []
    result.reserveCapacity(count)
    var (left, right) = (0, 0)
    while left < inserted.count || right < removed.count {
      let takesInserted =
        right == removed.count
        || left < inserted.count && Block.isBefore(inserted.key(left), removed.key(right))
      if takesInserted {
        result.append(TreeEdit(key: inserted.key(left), content: inserted.content(left)))
        left += 1
      } else {
        result.append(TreeEdit(key: removed.key(right), content: nil))
        right += 1
      }
    }
    return result
  }

  /// The overlay without what it says of the keys of some edits, which are ascending.
  func without(_ edits: [TreeEdit<Block>]) -> TreeOverlay {
    guard !edits.isEmpty, !isEmpty else { return self }
    let removals = edits.map { TreeEdit<Block>(key: $0.key, content: nil) }[...]
    var result = self
    if inserted.count > 0 { result.inserted = inserted.merged(with: removals) }
    if removed.count > 0 { result.removed = removed.merged(with: removals) }
    return result
  }

  /// The overlay after further edits, which are ascending and must keep the invariant.
  func merged(with edits: [TreeEdit<Block>]) -> TreeOverlay {
    var result = self
    let insertions = edits.filter { $0.content != nil }
    if !insertions.isEmpty { result.inserted = inserted.merged(with: insertions[...]) }
    guard insertions.count < edits.count else { return result }
    let removals = edits.filter { $0.content == nil }.map { TreeEdit<Block>(key: $0.key, content: Block.noContent) }
    result.removed = removed.merged(with: removals[...])
    return result
  }

  /// The overlay of these edits, which must keep the invariant.
  init(edits: some Sequence<TreeEdit<Block>>) {
    for edit in edits {
      if let content = edit.content {
        inserted.append(edit.key, content)
      } else {
        removed.append(edit.key, Block.noContent)
      }
    }
  }
}

extension TreeBlock {
  func contains(_ key: Key) -> Bool {
    let bound = lowerBound(key)
    return bound < count && compare(bound, key) == 0
  }
}
