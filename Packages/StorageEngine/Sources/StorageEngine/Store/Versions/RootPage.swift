// The content of the root page, checked and sealed under its version:
//
//     next node, next table, next index     varint each
//     tables                                varint, then for each: number, node, length of inline content (0: none)
//                                           and that content
//     records                               varint, then for each: name, node
//     pending nodes                         varint, then for each: number, length, content; files of format 1 end
//                                           before
//     logs                                  length and content of a map cell, see ``RootLogs``; files of formats before
//                                           6 end before

/// The root page: everything that one version consists of. May be used from any thread.
final class RootPage: Sendable {
  let version: UInt64
  let nextNode: Int64
  let nextTable: Int
  let nextIndex: Int
  /// By number; nil where a table was dropped.
  let tables: [TableState?]
  let records: RootRecords
  /// Nil in files of formats before 6; see ``FormatMigration``.
  let logs: RootLogs?
  /// Nodes of this version that the table of nodes lacks; ascending.
  let pending: [PendingNode]
  let names: [String: TableID]
  /// The table of each index, and its position there.
  private let indexes: [(table: Int, position: Int)?]

  /// - Parameter earlier: a version with the same tables, columns and indexes, if there is one.
  init(
    version: UInt64, nextNode: Int64, nextTable: Int, nextIndex: Int, tables: [TableState?], records: RootRecords,
    logs: RootLogs?, pending: [PendingNode], schemaOf earlier: RootPage?
  ) {
    self.version = version
    self.nextNode = nextNode
    self.nextTable = nextTable
    self.nextIndex = nextIndex
    self.tables = tables
    self.records = records
    self.logs = logs
    self.pending = pending
    if let earlier {
      names = earlier.names
      indexes = earlier.indexes
      return
    }
    var names: [String: TableID] = [:]
    var indexes = [(table: Int, position: Int)?](repeating: nil, count: nextIndex)
    for table in tables {
      guard let table else { continue }
      names[table.definition.name] = table.id
      for (position, index) in table.definition.indexes.enumerated() {
        while index.id.rawValue >= indexes.count { indexes.append(nil) }
        indexes[index.id.rawValue] = (table.id.rawValue, position)
      }
    }
    self.names = names
    self.indexes = indexes
  }

  /// A root page of version 0, in which there is nothing.
  static var blank: RootPage {
    RootPage(
      version: 0, nextNode: 1, nextTable: 0, nextIndex: 0, tables: [], records: .none, logs: .empty, pending: [],
      schemaOf: nil)
  }

  /// The table of an index, and its position there; nil when there is no such index.
  func location(of index: IndexID) -> (table: Int, position: Int)? {
    index.rawValue >= 0 && index.rawValue < indexes.count ? indexes[index.rawValue] : nil
  }

  func table(_ id: TableID) -> TableState? {
    id.rawValue >= 0 && id.rawValue < tables.count ? tables[id.rawValue] : nil
  }

  /// Calls `body` with a table, which the root page retains meanwhile; returns nil when there is none. Serves
  /// store.key-lookups.
  func withTable<R>(_ id: TableID, _ body: (TableState) throws -> R?) rethrows -> R? {
    guard id.rawValue >= 0, id.rawValue < tables.count,
      let table = tables[id.rawValue].map({ Unmanaged.passUnretained($0) })
    else { return nil }
    return try table._withUnsafeGuaranteedRef(body)
  }

  func encoded() -> [UInt8] {
    let logs = logs?.content ?? []
    var size = 64 + records.content.count + logs.count + NodeChecksum.byteCount
    for table in tables { size += (table?.inlineContent?.count ?? 0) + 16 }
    for node in pending { size += node.cost }
    var writer = NodeWriter(capacity: size)
    writer.count(Int(nextNode))
    writer.count(nextTable)
    writer.count(nextIndex)
    writer.count(tables.count { $0 != nil })
    for table in tables {
      guard let table else { continue }
      writer.count(table.id.rawValue)
      writer.count(Int(table.node))
      guard let content = table.inlineContent else {
        writer.count(0)
        continue
      }
      writer.count(content.count)
      writer.raw(content)
    }
    writer.raw(records.content)
    writer.count(pending.count)
    for node in pending {
      writer.count(Int(node.id))
      writer.count(node.content.count)
      writer.raw(node.content)
    }
    writer.count(logs.count)
    writer.raw(logs)
    return writer.bytes
  }

  /// The size of the root row without pending nodes in bytes, about, with room for the nodes retired lately.
  static func size(_ tables: [TableState?], _ records: RootRecords, _ logs: RootLogs) -> Int {
    tables.reduce(400 + records.content.count + logs.content.count) { $0 + ($1?.inlineContent?.count ?? 0) + 8 }
  }

  /// Decodes a root page, sharing unchanged parts with `earlier`.
  static func decode(_ content: [UInt8], version: UInt64, loader: NodeLoader, earlier: RootPage?) throws -> RootPage {
    try content.withUnsafeBytes { bytes in
      var reader = NodeReader(bytes, node: 0)
      let nextNode = Int64(try reader.count(limit: 1 << 62))
      let nextTable = try reader.count(limit: 1 << 24)
      let nextIndex = try reader.count(limit: 1 << 24)
      var parts: [(number: Int, node: Int64, inline: [UInt8]?)] = []
      for _ in 0..<(try reader.count(limit: nextTable)) {
        let number = try reader.count(limit: nextTable - 1)
        let node = try reader.nodeID()
        let length = try reader.count(limit: reader.remaining)
        parts.append((number, node, length == 0 ? nil : Array(try reader.take(length))))
      }
      let records = try RootRecords(&reader, version: version, earlier: earlier?.records)
      // Tables may refer to pending nodes, so those come first.
      let pending = try pendingNodes(&reader, loader: loader, earlier: earlier)
      let logs = try logs(&reader, earlier: earlier?.logs)
      var tables = [TableState?](repeating: nil, count: nextTable)
      for (number, node, inline) in parts {
        let known = earlier?.table(TableID(number))
        tables[number] =
          known?.node == node && (known?.inlineContent == nil) == (inline == nil)
          ? known
          : try TableState(id: TableID(number), node: node, inlineContent: inline, loader: loader, earlier: known)
      }
      try reader.finish()
      guard tables.allSatisfy({ $0?.definition.indexes.allSatisfy { $0.id.rawValue < nextIndex } ?? true }) else {
        throw reader.damage("an index has an impossible number")
      }
      return RootPage(
        version: version, nextNode: nextNode, nextTable: nextTable, nextIndex: nextIndex, tables: tables,
        records: records, logs: logs, pending: pending,
        schemaOf: earlier.flatMap { $0.hasSchema(of: tables) ? $0 : nil })
    }
  }

  private func hasSchema(of tables: [TableState?]) -> Bool {
    self.tables.count == tables.count
      && zip(self.tables, tables).allSatisfy { $0 === $1 || $0?.definition == $1?.definition }
  }

  private static func logs(_ reader: inout NodeReader, earlier: RootLogs?) throws -> RootLogs? {
    guard reader.remaining > 0 else { return nil }
    let content = Array(try reader.take(try reader.count(limit: reader.remaining)))
    if let earlier, earlier.content == content { return earlier }
    return try RootLogs(content)
  }

  private static func pendingNodes(
    _ reader: inout NodeReader, loader: NodeLoader, earlier: RootPage?
  ) throws -> [PendingNode] {
    guard reader.remaining > 0 else { return [] }
    return try (0..<(try reader.count(limit: reader.remaining))).map { _ in
      let id = try reader.nodeID()
      let content = try reader.take(try reader.count(limit: reader.remaining))
      return earlier?.pending.first { $0.id == id }
        ?? PendingNode(id: id, content: Array(content), loader: loader)
    }
  }
}
