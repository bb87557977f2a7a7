/// One index at one version: root and delta.
enum IndexState: Sendable {
  case int(TreeRoot, TreeDelta<IntBlock>)
  case bytes(TreeRoot, TreeDelta<BytesBlock>)

  var root: TreeRoot {
    switch self {
    case .int(let root, _): root
    case .bytes(let root, _): root
    }
  }

  /// Whether the delta is larger than small commits leave it.
  var isLarge: Bool {
    switch self {
    case .int(_, let delta): delta.exceedsLimit
    case .bytes(_, let delta): delta.exceedsLimit
    }
  }

  func encode(into writer: inout NodeWriter) {
    root.encode(into: &writer)
    switch self {
    case .int(_, let delta): delta.encode(into: &writer)
    case .bytes(_, let delta): delta.encode(into: &writer)
    }
  }

  init(_ kind: IndexKind, _ reader: inout NodeReader) throws {
    let root = try TreeRoot(&reader)
    switch kind {
    case .int: self = .int(root, try TreeDelta(&reader))
    case .bytes: self = .bytes(root, try TreeDelta(&reader))
    }
  }

  func reader(_ loader: NodeLoader, slot: NodeSlot?) -> IndexReader {
    switch self {
    case .int(let root, let delta): IndexReader(source: .int(TreeReader(root, delta, loader: loader, slot: slot)))
    case .bytes(let root, let delta):
      IndexReader(source: .bytes(TreeReader(root, delta, loader: loader, slot: slot)))
    }
  }
}
