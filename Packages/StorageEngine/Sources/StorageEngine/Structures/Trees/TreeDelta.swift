/// The delta of a tree: a write buffer of sorted changes that stands beside the root and is merged by readers.
///
/// One insertion would rewrite a path of pages; sixty of them, applied a run at a time, share most of it.
///
/// Invariant: no entry of ``inserted`` is in the tree, and every entry of ``removed`` is.
struct TreeDelta<Block: TreeBlock>: Sendable {
  /// Both kinds of changes; copies of a delta share them by one reference.
  private final class Changes: Sendable {
    let inserted: Block
    let removed: Block

    init(_ inserted: Block, _ removed: Block) {
      self.inserted = inserted
      self.removed = removed
    }
  }

  /// Nil without changes.
  private let changes: Changes?

  var inserted: Block { changes?.inserted ?? Block() }
  var removed: Block { changes?.removed ?? Block() }
  var isEmpty: Bool { changes == nil }
  var count: Int { changes.map { $0.inserted.count + $0.removed.count } ?? 0 }
  var cost: Int { changes.map { $0.inserted.cost + $0.removed.cost } ?? 0 }

  /// Entries that a delta holds at most, and those that stay when it is applied to the tree. Transactions of many
  /// edits, which write table nodes to the file anyway, leave up to ``TreeBlock/largeDelta``.
  static var limit: Int { 64 }
  static var rest: Int { 48 }
  static var costLimit: Int { 2048 }

  var exceedsLimit: Bool { count > Self.limit || cost > Self.costLimit }
  /// Whether it holds more entries than transactions of many edits leave.
  var exceedsLargeLimit: Bool { exceedsLimit && count > Block.largeDelta }

  func encode(into writer: inout NodeWriter) {
    Self.encode(inserted, &writer)
    Self.encode(removed, &writer)
  }

  private static func encode(_ block: Block, _ writer: inout NodeWriter) {
    writer.count(block.count)
    if block.count > 0 { block.encode(into: &writer) }
  }

  init() { changes = nil }

  init(inserted: Block, removed: Block) {
    changes = inserted.count == 0 && removed.count == 0 ? nil : Changes(inserted, removed)
  }

  init(_ reader: inout NodeReader) throws {
    let inserted = try Self.block(&reader)
    self.init(inserted: inserted, removed: try Self.block(&reader))
  }

  private static func block(_ reader: inout NodeReader) throws -> Block {
    let count = try reader.count(limit: 1 << 16)
    return count == 0 ? Block() : try Block.decode(&reader, count: count)
  }

  func isRemoved(_ block: Block, _ index: Int) -> Bool {
    guard let changes, changes.removed.count > 0 else { return false }
    return changes.removed.contains(block.key(index))
  }

  /// Whether inserted or removed entries fulfil a condition.
  func contains(where condition: (Block) -> Bool) -> Bool {
    guard let changes else { return false }
    return condition(changes.inserted) || condition(changes.removed)
  }

  /// Whether the tree with the delta has a key; nil when the delta has no change of the key.
  func decides(_ key: Block.Key) -> Bool? {
    guard let changes else { return nil }
    return changes.inserted.contains(key) ? true : changes.removed.contains(key) ? false : nil
  }

  /// The changes as edits, ascending.
  var edits: [TreeEdit<Block>] {
    let (inserted, removed) = (inserted, removed)
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

  /// The delta without changes of the keys of some edits, which are ascending.
  func without(_ edits: [TreeEdit<Block>]) -> TreeDelta {
    guard !edits.isEmpty, let changes else { return self }
    let removals = edits.map { TreeEdit<Block>(key: $0.key, content: nil) }[...]
    return TreeDelta(
      inserted: changes.inserted.merged(with: removals), removed: changes.removed.merged(with: removals))
  }

  /// The delta after further edits, which are ascending and keep the invariant.
  func merged(with edits: [TreeEdit<Block>]) -> TreeDelta {
    guard !edits.isEmpty else { return self }
    guard edits.contains(where: { $0.content == nil }) else {
      return TreeDelta(inserted: inserted.merged(with: edits[...]), removed: removed)
    }
    let insertions = edits.filter { $0.content != nil }
    let removals = edits.filter { $0.content == nil }.map { TreeEdit<Block>(key: $0.key, content: Block.noContent) }
    return TreeDelta(inserted: inserted.merged(with: insertions[...]), removed: removed.merged(with: removals[...]))
  }

  /// A delta of edits that keep the invariant.
  init(edits: some Sequence<TreeEdit<Block>>) {
    var (inserted, removed) = (Block(), Block())
    for edit in edits {
      if let content = edit.content {
        inserted.append(edit.key, content)
      } else {
        removed.append(edit.key, Block.noContent)
      }
    }
    self.init(inserted: inserted, removed: removed)
  }
}

extension TreeBlock {
  func contains(_ key: Key) -> Bool {
    let bound = lowerBound(key)
    return bound < count && compare(bound, key) == 0
  }
}
