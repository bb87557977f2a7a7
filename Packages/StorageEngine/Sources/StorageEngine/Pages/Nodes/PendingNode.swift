/// A node that stands in root pages only, not yet in the table of nodes.
///
/// A small commit leaves its nodes in the root row, which it writes anyway, instead of touching pages of the table of
/// nodes. The nodes of several commits gather there; once they outgrow their room, one commit writes those that are
/// still in use. A node that is replaced before is never written, and leaves no node to be deleted.
///
/// Every ``RootPage`` owns the pending nodes of its version, so a snapshot reads them for as long as it is held,
/// whatever later commits do with theirs.
final class PendingNode: Sendable {
  let id: Int64
  /// Kind byte first, without checksum: the root page has one.
  let content: [UInt8]
  private let loader: NodeLoader

  init(id: Int64, content: [UInt8], loader: NodeLoader) {
    self.id = id
    self.content = content
    self.loader = loader
    loader.source.pending.add(id, content)
  }

  deinit {
    if loader.source.pending.drop(id) { loader.cache.remove(CollectionOfOne(id)) }
  }

  /// Bytes that the root row spends on the node.
  var cost: Int { content.count + 12 }
}
