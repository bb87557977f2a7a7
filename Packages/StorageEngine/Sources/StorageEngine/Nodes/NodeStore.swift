/// Writes and retires nodes within one write transaction.
///
/// The first nodes stay pending, in memory; a transaction that writes more than fits the root writes all to the file.
final class NodeStore {
  let loader: NodeLoader
  let door: Database.Turn<WritingDoor>
  /// Nodes from this number on were written by this transaction.
  let first: Int64
  // Unchecked: every node that is written looks at these, which one thread reads or writes at once.
  @exclusivity(unchecked) private(set) var next: Int64
  /// Nodes of the version built on that the new version does not use.
  @exclusivity(unchecked) private(set) var retired: [Int64] = []
  /// Pending nodes: those of the version built on that are still in use, then those of this transaction.
  @exclusivity(unchecked) private var pending: [PendingNode]
  @exclusivity(unchecked) private var inheritedCount: Int
  /// What those of this transaction cost.
  @exclusivity(unchecked) private var freshCost = 0
  /// Whether this transaction wrote nodes to the file.
  @exclusivity(unchecked) private(set) var isSpilled = false
  /// Why the disk took no more. SQLite may have ended its transaction then, so that whatever was written afterwards
  /// would stay: nothing is. Nodes are kept in memory until the commit throws this.
  @exclusivity(unchecked) private var failure: StorageError?
  /// Nodes that the disk did not take.
  private var stranded: [PendingNode] = []

  /// What the row of the root may take, in bytes, so that it fits one page.
  static let rootLimit = 3900

  init(loader: NodeLoader, base: RootState, first: Int64) {
    self.loader = loader
    self.door = loader.database.writer
    self.first = first
    next = first
    pending = base.pending
    inheritedCount = pending.count
  }

  /// Writes a node; the decoded form, if given, goes into the cache.
  ///
  /// - Parameter publish: finishes and gives the decoded form of a node, for its number.
  func write(
    _ writer: consuming NodeWriter, decoded: CachedNode? = nil, publish: ((Int64) -> CachedNode)? = nil
  ) throws -> NodeSlot {
    let id = reserve()
    try write(writer, reserved: id)
    guard let node = publish?(id) ?? decoded else { return loader.cache.slot(id) }
    return loader.cache.add(id, node)
  }

  /// A number for a node that is not written, or not yet.
  func reserve() -> Int64 {
    defer { next += 1 }
    return next
  }

  /// Writes a node under a number that was reserved, by this transaction or an earlier one.
  func write(_ writer: consuming NodeWriter, reserved id: Int64) throws {
    let cost = writer.bytes.count
    if !isSpilled, freshCost + cost <= Self.rootLimit {
      let node = PendingNode(id: id, content: writer.bytes, loader: loader)
      pending.append(node)
      freshCost += node.cost
      return
    }
    try spill()
    try insert(writer, id)
  }

  private func insert(_ writer: consuming NodeWriter, _ id: Int64) throws {
    guard failure == nil else { return strand(writer.bytes, id) }
    writer.close(id)
    let stored = try loader.source.sealing?.seal(writer.bytes, at: .node(id)) ?? writer.bytes
    do {
      try changing("write node \(id)") { try $0.insert(node: id, content: stored) }
    } catch {
      strand(writer.bytes.dropLast(NodeChecksum.byteCount), id)
    }
  }

  private func strand(_ content: some Sequence<UInt8>, _ id: Int64) {
    stranded.append(PendingNode(id: id, content: Array(content), loader: loader))
  }

  /// Throws what the disk did to an earlier write of the transaction.
  func checkDisk() throws { if let failure { throw failure } }

  /// Changes the file. After a failure the transaction can only end.
  func changing<R>(_ what: @autoclosure () -> String, _ body: (WritingDoor) throws -> R) throws -> R {
    try checkDisk()
    do { return try translating(what()) { try door.with(body) } } catch let error as StorageError {
      failure = error
      throw error
    }
  }

  /// Writes the pending nodes of this transaction to the file; later ones go there at once.
  private func spill() throws {
    guard !isSpilled else { return }
    isSpilled = true
    // Until the commit only the connection that writes can read them, as the loader knows.
    try insert(inheritedCount..<pending.count)
    freshCost = 0
  }

  /// Writes some of the pending nodes to the file.
  private func insert(_ places: Range<Int>) throws {
    for node in pending[places] { try insert(NodeWriter(content: node.content), node.id) }
    loader.source.pending.written(pending[places])
    pending.removeSubrange(places)
  }

  /// The pending nodes of the new version: none when they do not fit, and all were written.
  ///
  /// - Parameter used: bytes that the row of the root takes without them.
  func settle(used: Int) throws -> [PendingNode] {
    let cost = pending.reduce(0) { $0 + $1.cost }
    if !isSpilled, used + cost <= Self.rootLimit { return pending }
    isSpilled = true
    try insert(pending.indices)
    return []
  }

  /// Gives up a node: at once when this transaction wrote it, else when no snapshot needs it.
  func retire(_ id: Int64) throws {
    guard id > 0 else { return }
    let place = pending.firstIndex { $0.id == id }
    if let place, place < inheritedCount {
      inheritedCount -= 1
      pending.remove(at: place)
      return
    }
    guard id >= first else { return retired.append(id) }
    guard failure == nil else { return }
    loader.cache.remove(CollectionOfOne(id))
    if let place {
      freshCost -= pending[place].cost
      pending.remove(at: place)
      loader.source.pending.forget(id..<id + 1)
      return
    }
    try? changing("delete node \(id)") { try $0.delete(node: id) }
  }

  /// Forgets what the transaction wrote: it was rolled back.
  func abandon() {
    // The instances first: one that ended later would be taken for a keeper of whatever has its number then.
    pending = []
    stranded = []
    loader.source.pending.forget(first..<next)
    loader.cache.remove(first..<next)
  }

  func writeBytes(_ content: [UInt8]) throws -> Int64 {
    var writer = NodeWriter(.bytes, capacity: content.count + 1)
    writer.raw(content)
    return try write(writer).id
  }
}
