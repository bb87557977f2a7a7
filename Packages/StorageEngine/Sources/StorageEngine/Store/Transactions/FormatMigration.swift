import SQLiteDatabase

/// Migrates a file of a format before 6, whose records and logs stood outside of versions, without checksums over their
/// presence:
///
///     record(name, content)                                   become root records
///     log(id, name, bytes), log_<id>(position, size, content) become logs
///
/// Runs in the first write transaction on such a file, and commits or vanishes with it.
struct FormatMigration {
  let transaction: WriteTransaction

  private struct Log {
    var number: Int64
    var name: String
    var bytes: Int64
  }

  func run() throws {
    for (name, stored) in try records() where try transaction.rootRecord(name) == nil {
      try transaction.setRootRecord(name, try opened(stored, .record(name)))
    }
    let logs = try logs()
    // The logs get new numbers.
    for log in logs { try execute("ALTER TABLE log_\(log.number) RENAME TO former_\(log.number)") }
    for log in logs { try migrate(log) }
    try execute("DROP TABLE record; DROP TABLE log")
    transaction.areLogsChanged = true
  }

  private var store: NodeStore { transaction.state.store }

  private func opened(_ stored: [UInt8], _ context: SealingContext) throws -> [UInt8] {
    try store.loader.source.opened(stored, for: context)
  }

  private func execute(_ sql: String) throws {
    try store.changing("migrate an earlier format") { try $0.sqlite.execute(sql) }
  }

  private func rows<Row>(
    _ sql: String, binding value: Int64? = nil, _ row: (SQLiteStatement) throws -> Row?
  ) throws -> [Row] {
    try store.changing("read an earlier format") { connection in
      let select = try connection.sqlite.prepare(sql)
      if let value { try select.bind(1, value) }
      var rows: [Row] = []
      while try select.step(), let next = try row(select) { rows.append(next) }
      return rows
    }
  }

  private func records() throws -> [(String, [UInt8])] {
    try rows("SELECT name, content FROM record ORDER BY name") { ($0.text(at: 0) ?? "", $0.bytes(at: 1)) }
  }

  private func logs() throws -> [Log] {
    try rows("SELECT id, name, bytes FROM log ORDER BY id") {
      Log(number: $0.int(at: 0), name: $0.text(at: 1) ?? "", bytes: $0.int(at: 2))
    }
  }

  private func migrate(_ log: Log) throws {
    let writer = LogWriter(name: log.name, transaction: transaction)
    var position: Int64? = .min
    while let start = position {
      // Entries are read in batches, to bound the memory.
      var room = 1 << 20
      let found = try rows(
        "SELECT position, content FROM former_\(log.number) WHERE position >= ? ORDER BY position", binding: start
      ) { row -> LogEntry? in
        guard room > 0 else { return nil }
        let context = SealingContext.entry(log: log.name, position: row.int(at: 0), after: nil)
        let content = try opened(row.bytes(at: 1), context)
        room -= min(content.count + 16, room)
        return LogEntry(position: row.int(at: 0), content: content)
      }
      try writer.put(found)
      position = found.last.flatMap { $0.position == .max ? nil : $0.position + 1 }
    }
    guard try writer.totalBytes() == Int(log.bytes) else {
      throw StorageError.damage("Entries of log '\(log.name)' are missing.")
    }
    try execute("DROP TABLE former_\(log.number)")
  }
}
