import Synchronization

/// Reads, unseals and checks the content of nodes. May be used from any thread.
final class NodeSource: Sendable {
  let database: Database
  let sealing: (any Sealing)?
  let pending = PendingNodes()
  /// Nodes from this number on belong to the running write transaction and are seen by its connection only.
  let firstUncommitted = Atomic<Int64>(.max)

  init(database: Database, sealing: (any Sealing)?) {
    self.database = database
    self.sealing = sealing
  }

  /// The bytes of a node of kind `bytes`.
  func bytes(_ id: Int64) throws -> [UInt8] {
    try withContent(of: id) { content in
      guard content.first == NodeKind.bytes.rawValue else {
        throw NodeReader(content, node: id).damage("it is of another kind")
      }
      return Array(content.dropFirst())
    }
  }

  /// Calls `body` with the checked content of a node, kind byte first.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the node is damaged or missing.
  func withContent<R>(of id: Int64, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
    if let pending = pending.content(id) { return try pending.withUnsafeBytes(body) }
    return try translating("read node \(id)") {
      let result =
        if id >= firstUncommitted.load(ordering: .acquiring) {
          try database.writer.with { try $0.reader.withNode(id) { try self.check($0, id, body) } }
        } else {
          try database.reading { try $0.withNode(id) { try self.check($0, id, body) } }
        }
      guard let result else {
        throw StorageError(.corrupt, "Node \(id) is missing. Restore the file from a backup or its server.")
      }
      return result
    }
  }

  private func check<R>(_ stored: UnsafeRawBufferPointer, _ id: Int64, _ body: (UnsafeRawBufferPointer) throws -> R)
    throws -> R
  {
    guard let sealing else { return try NodeChecksum.open(stored, id, body) }
    return try sealing.open(stored, for: .node(id)).withUnsafeBytes { try NodeChecksum.open($0, id, body) }
  }
}

// Roots and log entries: checked and sealed like nodes. The number in the checksum of a log entry is a hash of the
// log's name, the entry's position and its gap.
extension NodeSource {
  private static func number(_ context: SealingContext) -> Int64 {
    switch context {
    case .node(let id): id
    case .root(let version): Int64(bitPattern: version)
    case .entry(let name, let position, nil): number(name, position)
    case .entry(let name, let position, let previous?): number(name, position) ^ mixed(~(position &- previous))
    case .record(let name): number(name, 0)
    }
  }

  private static func mixed(_ number: Int64) -> Int64 {
    let product = UInt64(bitPattern: number) &* 0xBF58_476D_1CE4_E5B9
    return Int64(bitPattern: product ^ product >> 29)
  }

  private static func number(_ name: String, _ position: Int64) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash ^= UInt64(bitPattern: position) &* 0x9E37_79B9_7F4A_7C15
    return Int64(bitPattern: hash)
  }

  static func closed(
    _ content: consuming [UInt8], for context: SealingContext, sealing: (any Sealing)?
  ) throws -> [UInt8] {
    let checked = NodeChecksum.closed(content, number(context))
    return try sealing?.seal(checked, for: context) ?? checked
  }

  func closed(_ content: consuming [UInt8], for context: SealingContext) throws -> [UInt8] {
    try Self.closed(content, for: context, sealing: sealing)
  }

  func opened(_ stored: [UInt8], for context: SealingContext) throws -> [UInt8] {
    let number = Self.number(context)
    do {
      let checked = try sealing.map { sealing in try stored.withUnsafeBytes { try sealing.open($0, for: context) } }
      return try (checked ?? stored).withUnsafeBytes { try NodeChecksum.open($0, number) { Array($0) } }
    } catch let error as StorageError where error.code == .corrupt {
      throw StorageError(
        .corrupt, "The \(context) is damaged. Restore the file from a backup or its server.", cause: error)
    }
  }
}
