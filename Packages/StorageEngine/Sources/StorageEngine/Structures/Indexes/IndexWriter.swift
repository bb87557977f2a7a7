/// An index within a write transaction.
enum IndexWriter {
  case int(TreeWriter<IntBlock>)
  case bytes(TreeWriter<BytesBlock>)

  /// An empty index.
  init(_ kind: IndexKind, store: NodeStore) {
    switch kind {
    case .int: self = .int(TreeWriter(TreeRoot(), TreeDelta(), store: store))
    case .bytes: self = .bytes(TreeWriter(TreeRoot(), TreeDelta(), store: store))
    }
  }

  init(_ index: TableIndex, store: NodeStore) {
    switch index.state {
    case .int(let root, let delta): self = .int(TreeWriter(root, delta, lookup: index.lookup, store: store))
    case .bytes(let root, let delta): self = .bytes(TreeWriter(root, delta, store: store))
    }
  }

  var isChanged: Bool {
    switch self {
    case .int(let writer): writer.isChanged
    case .bytes(let writer): writer.isChanged
    }
  }

  func finish() throws -> IndexState {
    switch self {
    case .int(let writer):
      try writer.flush()
      return .int(writer.root, writer.delta)
    case .bytes(let writer):
      try writer.flush()
      return .bytes(writer.root, writer.delta)
    }
  }

  /// Shrinks a large delta; see ``TreeWriter/shrinkLargeDelta()``.
  func shrinkLargeDelta() throws {
    switch self {
    case .int(let writer): try writer.shrinkLargeDelta()
    case .bytes(let writer): try writer.shrinkLargeDelta()
    }
  }

  func removeAll() throws {
    switch self {
    case .int(let writer): try writer.removeAll()
    case .bytes(let writer): try writer.removeAll()
    }
  }
}
