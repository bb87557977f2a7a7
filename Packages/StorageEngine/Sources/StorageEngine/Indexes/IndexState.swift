/// One index at one version, ready to be read.
enum IndexState: Sendable {
  case int(TreeRoot, TreeOverlay<IntBlock>)
  case bytes(TreeRoot, TreeOverlay<BytesBlock>)

  var root: TreeRoot {
    switch self {
    case .int(let root, _): root
    case .bytes(let root, _): root
    }
  }

  /// Whether more stands beside the tree than small commits leave there.
  var isWide: Bool {
    switch self {
    case .int(_, let overlay): overlay.exceedsLimit
    case .bytes(_, let overlay): overlay.exceedsLimit
    }
  }

  func encode(into writer: inout NodeWriter) {
    root.encode(into: &writer)
    switch self {
    case .int(_, let overlay): overlay.encode(into: &writer)
    case .bytes(_, let overlay): overlay.encode(into: &writer)
    }
  }

  init(_ kind: IndexKind, _ reader: inout NodeReader) throws {
    let root = try TreeRoot(&reader)
    switch kind {
    case .int: self = .int(root, try TreeOverlay(&reader))
    case .bytes: self = .bytes(root, try TreeOverlay(&reader))
    }
  }

  func reader(_ loader: NodeLoader, slot: NodeSlot?) -> IndexReader {
    switch self {
    case .int(let root, let overlay): IndexReader(source: .int(TreeReader(root, overlay, loader: loader, slot: slot)))
    case .bytes(let root, let overlay):
      IndexReader(source: .bytes(TreeReader(root, overlay, loader: loader, slot: slot)))
    }
  }
}

/// An index within a write transaction.
enum IndexWriter {
  case int(TreeWriter<IntBlock>)
  case bytes(TreeWriter<BytesBlock>)

  /// An empty index.
  init(_ kind: IndexKind, store: NodeStore) {
    switch kind {
    case .int: self = .int(TreeWriter(TreeRoot(), TreeOverlay(), store: store))
    case .bytes: self = .bytes(TreeWriter(TreeRoot(), TreeOverlay(), store: store))
    }
  }

  init(_ index: TableIndex, store: NodeStore) {
    switch index.state {
    case .int(let root, let overlay): self = .int(TreeWriter(root, overlay, lookup: index.lookup, store: store))
    case .bytes(let root, let overlay): self = .bytes(TreeWriter(root, overlay, store: store))
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
      return .int(writer.root, writer.overlay)
    case .bytes(let writer):
      try writer.flush()
      return .bytes(writer.root, writer.overlay)
    }
  }

  /// See ``TreeWriter/narrow()``.
  func narrow() throws {
    switch self {
    case .int(let writer): try writer.narrow()
    case .bytes(let writer): try writer.narrow()
    }
  }

  func removeAll() throws {
    switch self {
    case .int(let writer): try writer.removeAll()
    case .bytes(let writer): try writer.removeAll()
    }
  }
}
