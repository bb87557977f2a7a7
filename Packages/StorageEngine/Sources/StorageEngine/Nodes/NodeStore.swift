/// Writes and retires nodes within one write transaction.
final class NodeStore {
  let loader: NodeLoader
  let door: Database.Turn<WritingDoor>
  /// Nodes from this number on were written by this transaction.
  let first: Int64
  private(set) var next: Int64
  /// Nodes of the version built on that the new version does not use.
  private(set) var retired: [Int64] = []

  init(loader: NodeLoader, first: Int64) {
    self.loader = loader
    self.door = loader.database.writer
    self.first = first
    next = first
  }

  /// Writes a node; the decoded form, if given, goes into the cache.
  ///
  /// - Parameter publish: finishes and gives the decoded form of a node, for its number.
  func write(
    _ writer: consuming NodeWriter, decoded: CachedNode? = nil, publish: ((Int64) -> CachedNode)? = nil
  ) throws -> NodeSlot {
    let id = reserve()
    try write(writer, reserved: id)
    let slot = loader.cache.slot(id)
    if let decoded = publish?(id) ?? decoded { _ = loader.cache.fill(slot, with: decoded) }
    return slot
  }

  /// A number for a node that is not written, or not yet.
  func reserve() -> Int64 {
    defer { next += 1 }
    return next
  }

  /// Writes a node under a number that was reserved, by this transaction or an earlier one.
  func write(_ writer: consuming NodeWriter, reserved id: Int64) throws {
    writer.close(id)
    let stored = try loader.source.sealing?.seal(writer.bytes, number: id, version: 0) ?? writer.bytes
    try translating("write node \(id)") { try door.with { try $0.insert(node: id, content: stored) } }
  }

  /// Gives up a node: at once when this transaction wrote it, else when no snapshot needs it.
  func retire(_ id: Int64) throws {
    guard id > 0 else { return }
    guard id >= first else { return retired.append(id) }
    loader.cache.remove(CollectionOfOne(id))
    try translating("delete node \(id)") { try door.with { try $0.delete(node: id) } }
  }

  func writeBytes(_ content: [UInt8]) throws -> Int64 {
    var writer = NodeWriter(.bytes, capacity: content.count + 1)
    writer.raw(content)
    return try write(writer).id
  }
}
