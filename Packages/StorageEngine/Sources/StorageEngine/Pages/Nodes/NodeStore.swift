/// Writes and retires nodes within one write transaction. For one thread at a time.
///
/// The first nodes stay pending, in memory. A transaction that writes more than fits the root page spills all to the
/// file.
final class NodeStore {
  let loader: NodeLoader
  let writer: Database.Locked<WriterConnection>
  /// Nodes from this number on were written by this transaction.
  let first: Int64
  private(set) var next: Int64
  /// Nodes of the version built on that the new version does not use.
  private(set) var retired: [Int64] = []
  /// Pending nodes: those of the version built on that are still in use, then those of this transaction.
  private var pending: [PendingNode]
  private var inheritedCount: Int
  /// The cost of those of this transaction, in bytes.
  private var freshCost = 0
  /// Whether this transaction wrote nodes to the file.
  private(set) var isSpilled = false
  /// The first failure of the disk. SQLite may have ended its transaction by itself, so that later writes would stay:
  /// none is made. Nodes are kept in memory until the commit throws this error.
  private var failure: StorageError?
  /// Nodes that the disk refused.
  private var refused: [PendingNode] = []

  /// Bytes that the root row may take, so that it fits one page of SQLite.
  static let rootLimit = 3900

  /// - Parameters:
  ///   - pending: the pending nodes of the version built on.
  ///   - first: the number of the first node.
  init(loader: NodeLoader, pending: [PendingNode], first: Int64) {
    self.loader = loader
    writer = loader.database.writer
    self.first = first
    next = first
    self.pending = pending
    inheritedCount = pending.count
  }

  /// Writes a node; the decoded form, if given, is cached.
  ///
  /// - Parameter publish: completes and returns the decoded form of the node with a number.
  func write(
    _ node: consuming NodeWriter, decoded: CachedNode? = nil, publish: ((Int64) -> CachedNode)? = nil
  ) throws -> NodeSlot {
    let id = reserve()
    try write(node, reserved: id)
    guard let decoded = publish?(id) ?? decoded else { return loader.cache.slot(id) }
    return loader.cache.add(id, decoded)
  }

  /// A number for a node that is written later, or never.
  func reserve() -> Int64 {
    defer { next += 1 }
    return next
  }

  /// Writes a node under a number that this transaction or an earlier one reserved.
  func write(_ node: consuming NodeWriter, reserved id: Int64) throws {
    let cost = node.bytes.count
    if !isSpilled, freshCost + cost <= Self.rootLimit {
      let new = PendingNode(id: id, content: node.bytes, loader: loader)
      pending.append(new)
      freshCost += new.cost
      return
    }
    try spill()
    try insert(node, id)
  }

  private func insert(_ node: consuming NodeWriter, _ id: Int64) throws {
    guard failure == nil else { return keepRefused(node.bytes, id) }
    node.close(id)
    let stored = try loader.source.sealing?.seal(node.bytes, for: .node(id)) ?? node.bytes
    do {
      try changing("write node \(id)") { try $0.insert(node: id, content: stored) }
    } catch {
      keepRefused(node.bytes.dropLast(NodeChecksum.byteCount), id)
    }
  }

  private func keepRefused(_ content: some Sequence<UInt8>, _ id: Int64) {
    refused.append(PendingNode(id: id, content: Array(content), loader: loader))
  }

  /// Throws the failure of an earlier write of the transaction, if there was one.
  func checkDisk() throws { if let failure { throw failure } }

  /// Changes the file. After a failure the transaction can only end.
  func changing<R>(_ what: @autoclosure () -> String, _ body: (WriterConnection) throws -> R) throws -> R {
    try checkDisk()
    do { return try translating(what()) { try writer.with(body) } } catch let error as StorageError {
      failure = error
      throw error
    }
  }

  /// Writes the pending nodes of this transaction to the file, where its later nodes follow.
  private func spill() throws {
    guard !isSpilled else { return }
    isSpilled = true
    // Until the commit only the writer connection can read them; the source knows.
    try insert(inheritedCount..<pending.count)
    freshCost = 0
  }

  /// Writes some of the pending nodes to the file.
  private func insert(_ places: Range<Int>) throws {
    for node in pending[places] { try insert(NodeWriter(content: node.content), node.id) }
    loader.source.pending.written(pending[places])
    pending.removeSubrange(places)
  }

  /// The pending nodes of the new version. None when they do not fit the root page: all were written then.
  ///
  /// - Parameter used: bytes of the root row without pending nodes.
  func settle(used: Int) throws -> [PendingNode] {
    let cost = pending.reduce(0) { $0 + $1.cost }
    if !isSpilled, used + cost <= Self.rootLimit { return pending }
    isSpilled = true
    try insert(pending.indices)
    return []
  }

  /// Retires a node: a node of this transaction is deleted at once, any other when no snapshot needs it.
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

  /// Forgets the nodes of a transaction that was rolled back.
  func abandon() {
    // The instances go first: later, they would count as owners of other nodes with the same numbers.
    pending = []
    refused = []
    loader.source.pending.forget(first..<next)
    loader.cache.remove(first..<next)
  }

  func writeBytes(_ content: [UInt8]) throws -> Int64 {
    var writer = NodeWriter(.bytes, capacity: content.count + 1)
    writer.raw(content)
    return try write(writer).id
  }
}
