/// Changes to a tree that are not worth rewriting its pages yet: kept sorted beside the root and merged by readers.
///
/// One insertion would rewrite a path of pages; sixty of them, put into the tree a run at a time, share most of it.
///
/// Invariant: no entry of ``inserted`` is in the tree, and every entry of ``removed`` is.
struct TreeOverlay<Block: TreeBlock>: Sendable {
  /// Both kinds of changes, which whoever copies an overlay shares by one reference.
  private final class Changes: Sendable {
    let inserted: Block
    let removed: Block

    init(_ inserted: Block, _ removed: Block) {
      self.inserted = inserted
      self.removed = removed
    }
  }

  /// Nil when there are none.
  private let changes: Changes?

  var inserted: Block { changes?.inserted ?? Block() }
  var removed: Block { changes?.removed ?? Block() }
  var isEmpty: Bool { changes == nil }
  var count: Int { changes.map { $0.inserted.count + $0.removed.count } ?? 0 }
  var cost: Int { changes.map { $0.inserted.cost + $0.removed.cost } ?? 0 }

  /// Entries that an overlay holds at most, and how many stay when it is emptied into the tree. Transactions of many edits,
  /// which write table nodes to the file anyway, leave up to ``TreeBlock/wideOverlay``.
  static var limit: Int { 64 }
  static var rest: Int { 48 }
  static var costLimit: Int { 2048 }

  var exceedsLimit: Bool { count > Self.limit || cost > Self.costLimit }
  /// Whether it holds more than transactions of many edits leave.
  var exceedsWideLimit: Bool { exceedsLimit && count > Block.wideOverlay }

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

  /// Whether a run of changes fulfils a condition.
  @inline(__always) func contains(where condition: (Block) -> Bool) -> Bool {
    guard let changes else { return false }
    return condition(changes.inserted) || condition(changes.removed)
  }

  /// Whether there is to be an entry with a key; nil when nothing is said of it.
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

  /// The overlay without what it says of the keys of some edits, which are ascending.
  func without(_ edits: [TreeEdit<Block>]) -> TreeOverlay {
    guard !edits.isEmpty, let changes else { return self }
    let removals = edits.map { TreeEdit<Block>(key: $0.key, content: nil) }[...]
    return TreeOverlay(
      inserted: changes.inserted.merged(with: removals), removed: changes.removed.merged(with: removals))
  }

  /// The overlay after further edits, which are ascending and must keep the invariant.
  func merged(with edits: [TreeEdit<Block>]) -> TreeOverlay {
    guard !edits.isEmpty else { return self }
    guard edits.contains(where: { $0.content == nil }) else {
      return TreeOverlay(inserted: inserted.merged(with: edits[...]), removed: removed)
    }
    let insertions = edits.filter { $0.content != nil }
    let removals = edits.filter { $0.content == nil }.map { TreeEdit<Block>(key: $0.key, content: Block.noContent) }
    return TreeOverlay(inserted: inserted.merged(with: insertions[...]), removed: removed.merged(with: removals[...]))
  }

  /// The overlay of these edits, which must keep the invariant.
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
