/// Decodes and caches the nodes that the source reads. May be used from any thread.
final class NodeLoader: Sendable {
  let source: NodeSource
  let cache: NodeCache

  init(source: NodeSource, cache: NodeCache) {
    self.source = source
    self.cache = cache
  }

  var database: Database { source.database }

  /// The node in a slot, read and decoded if it is not in memory.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the node is damaged, missing or of another kind.
  func node<T: DecodableNode>(_ slot: NodeSlot, _ type: T.Type) throws -> T {
    if let node = slot.peek() as? T { return node }
    return try load(slot, type)
  }

  func node<T: DecodableNode>(_ id: Int64, _ type: T.Type) throws -> T { try node(cache.slot(id), type) }

  private func load<T: DecodableNode>(_ slot: NodeSlot, _ type: T.Type) throws -> T {
    let id = slot.id
    // The patched node must not be read while the connection is in use, so the patch is copied out.
    var patch: [UInt8]?
    let whole: T? = try source.withContent(of: id) { content in
      var reader = NodeReader(content, node: id)
      let kind = try reader.byte()
      if kind == T.patchKind?.rawValue {
        patch = Array(content)
        return nil
      }
      guard kind == T.kind.rawValue else { throw reader.damage("it is of another kind") }
      return try T.decode(&reader, id: id, loader: self)
    }
    let loaded = try whole ?? T.decodePatch(patch ?? [], id: id, loader: self)
    guard let kept = cache.fill(slot, with: loaded) as? T else {
      throw StorageError(.corrupt, "Node \(id) is used as two kinds. Restore the file from a backup or its server.")
    }
    return kept
  }
}
