import SQLiteDatabase

/// What the row of the latest version says.
struct StoredRoot {
  var version: UInt64
  /// Versions below this may lose nodes.
  var freeable: UInt64
  /// Nil when the reader knows the version.
  var content: [UInt8]?
  /// The nodes retired lately, for who writes the next version; see ``RetiredNodes``.
  var recent: [UInt8]
}

/// A connection that reads, with its statements compiled.
final class ReadingDoor {
  let connection: SQLiteConnection
  private let selectNode: SQLiteStatement
  private let selectRoot: SQLiteStatement
  private var others: StatementCache<String>
  // Unchecked: who has the connection asks for one after the other.
  @exclusivity(unchecked) private var ofLogs: StatementCache<LogUse.OfTable>
  var tables: SideTables

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    others = StatementCache(connection)
    ofLogs = StatementCache(connection)
    tables = SideTables(connection)
    selectNode = try connection.prepare("SELECT content FROM node WHERE id = ?")
    selectRoot = try connection.prepare("SELECT version, freeable, content, recent FROM root WHERE id = 1")
  }

  /// Calls `body` with the stored content of a node, in place; nil when there is no such node.
  func withNode<R>(_ id: Int64, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R? {
    try selectNode.bind(1, id)
    defer { selectNode.reset() }
    guard try selectNode.step() else { return nil }
    return try selectNode.withBytes(at: 0, body)
  }

  /// The latest root; its content only when the version is not `known`, and the nodes retired lately when asked for.
  func root(known: UInt64, isToBeReplaced: Bool = false) throws -> StoredRoot? {
    defer { selectRoot.reset() }
    guard try selectRoot.step() else { return nil }
    let version = UInt64(bitPattern: selectRoot.int(at: 0))
    let freeable = UInt64(bitPattern: selectRoot.int(at: 1))
    // No commit announces more than itself. Who met more would wait for a version that never comes.
    guard version > 0, version < 1 << 62, freeable <= version else {
      throw StorageError(.corrupt, "The version of the file is impossible. Restore it from a backup or its server.")
    }
    return StoredRoot(
      version: version, freeable: freeable,
      content: version == known ? nil : selectRoot.bytes(at: 2), recent: isToBeReplaced ? selectRoot.bytes(at: 3) : [])
  }

  /// A statement compiled once per connection, reset.
  func statement(_ sql: String) throws -> SQLiteStatement { try others.statement(sql) }

  /// A statement on the table of a log, reset: every commit of a synced file asks for one, by number and not by text.
  func statement(_ use: LogUse, log number: Int64) throws -> SQLiteStatement {
    try ofLogs.statement(LogUse.OfTable(use: use, number: number)) { $0.text }
  }
}

/// The connection that writes, with its statements compiled.
final class WritingDoor {
  let connection: SQLiteConnection
  let reading: ReadingDoor
  private let insertNode: SQLiteStatement
  private let deleteNode: SQLiteStatement
  private let deleteNodes: SQLiteStatement
  private let updateRoot: SQLiteStatement
  private let beginStatement: SQLiteStatement
  private let commitStatement: SQLiteStatement
  private let buffer: LogWriteBuffer
  private var runway = LogRunway(limit: FileLayout.logSize)
  private var checkpointer: Checkpointer
  /// The root as this connection left it, without its content, and the version of the data then.
  private var left: (data: UInt32, root: StoredRoot)?

  /// - Parameter logPages: pages in the write-ahead log from which on commits move it to the file.
  init(_ connection: SQLiteConnection, logPages: Int) throws {
    self.connection = connection
    checkpointer = Checkpointer(limit: logPages)
    reading = try ReadingDoor(connection)
    buffer = try LogWriteBuffer(connection)
    insertNode = try connection.prepare("INSERT INTO node(id, content) VALUES (?, ?)")
    deleteNode = try connection.prepare("DELETE FROM node WHERE id = ?")
    deleteNodes = try connection.prepare("DELETE FROM node WHERE id BETWEEN ? AND ?")
    updateRoot = try connection.prepare(
      "UPDATE root SET version = ?, freeable = ?, content = ?, recent = ? WHERE id = 1")
    beginStatement = try connection.prepare("BEGIN IMMEDIATE")
    commitStatement = try connection.prepare("COMMIT")
  }

  func begin() throws {
    try beginStatement.run()
    runway.extend(connection)
  }

  /// The root that the transaction replaces; its content only when the version is not `known`.
  func root(known: UInt64) throws -> StoredRoot? {
    // Where nobody wrote since this connection did, it need not look.
    if let left, left.root.version == known, left.data == connection.dataVersion { return left.root }
    return try reading.root(known: known, isToBeReplaced: true)
  }

  func commit() throws { try buffer.gathering { _ = try commitStatement.run() } }

  /// Moves the write-ahead log to the file when the last commit made it long enough, by another connection of `database`.
  func checkpointIfDue(_ database: Database) {
    checkpointer.runIfDue(connection) { body in try database.reading { try body($0.connection) } }
  }

  /// Replaces the root and commits.
  func commit(version: UInt64, freeable: UInt64, root: [UInt8], recent: [UInt8]) throws {
    left = nil
    try update(version: version, freeable: freeable, root: root, recent: recent)
    try commit()
    left = connection.dataVersion.map {
      ($0, StoredRoot(version: version, freeable: freeable, content: nil, recent: recent))
    }
  }

  func rollback() {
    // SQLite may have ended the transaction itself.
    if connection.isInTransaction { try? connection.execute("ROLLBACK") }
    reading.tables.forget()
  }

  func insert(node id: Int64, content: [UInt8]) throws {
    try content.withUnsafeBytes { bytes in
      try insertNode.bind(1, id).bindUnsafeBytes(2, bytes)
      try insertNode.run()
    }
  }

  func delete(node id: Int64) throws { try deleteNode.bind(1, id).run() }

  func delete(nodes ids: ClosedRange<Int64>) throws {
    if ids.lowerBound == ids.upperBound { return try delete(node: ids.lowerBound) }
    try deleteNodes.bind(1, ids.lowerBound).bind(2, ids.upperBound).run()
  }

  private func update(version: UInt64, freeable: UInt64, root: [UInt8], recent: [UInt8]) throws {
    try updateRoot.bind(1, Int64(bitPattern: version)).bind(2, Int64(bitPattern: freeable))
    try root.withUnsafeBytes { root in
      try recent.withUnsafeBytes { recent in
        try updateRoot.bindUnsafeBytes(3, root).bindUnsafeBytes(4, recent).run()
      }
    }
  }

  func retire(_ ids: [UInt8], version: UInt64) throws {
    try reading.tables.make(.retired)
    try reading.statement("INSERT OR REPLACE INTO retired(version, ids) VALUES (?, ?)")
      .bind(1, Int64(bitPattern: version)).bind(2, ids).run()
  }

  /// The oldest entries of the retired list above `after` and at or below `version`.
  func retired(after: UInt64, through version: UInt64, limit: Int) throws -> [(version: UInt64, ids: [UInt8])] {
    guard try reading.tables.has(.retired) else { return [] }
    let select = try reading.statement(
      "SELECT version, ids FROM retired WHERE version > ? AND version <= ? ORDER BY version LIMIT ?")
    try select.bind(1, Int64(bitPattern: after)).bind(2, Int64(clamping: version)).bind(3, Int64(limit))
    defer { select.reset() }
    var result: [(version: UInt64, ids: [UInt8])] = []
    while try select.step() {
      result.append((UInt64(bitPattern: select.int(at: 0)), select.bytes(at: 1)))
    }
    return result
  }

  /// Forgets entries, of which there is one at least.
  func forgetRetired(_ versions: ClosedRange<UInt64>) throws {
    try reading.statement("DELETE FROM retired WHERE version BETWEEN ? AND ?")
      .bind(1, Int64(bitPattern: versions.lowerBound)).bind(2, Int64(bitPattern: versions.upperBound)).run()
  }
}
