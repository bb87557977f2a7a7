import SQLiteDatabase

/// The connection that writes, with its compiled statements. For one thread at a time.
final class WriterConnection {
  let sqlite: SQLiteConnection
  /// Reads through the same connection.
  let reader: ReaderConnection
  private let insertNode: SQLiteStatement
  private let deleteNode: SQLiteStatement
  private let deleteNodes: SQLiteStatement
  private let updateRoot: SQLiteStatement
  private let beginStatement: SQLiteStatement
  private let commitStatement: SQLiteStatement
  private let buffer: WALWriteBuffer
  private var preallocation = WALPreallocation(limit: FileLayout.walSize)
  private var checkpointer: Checkpointer
  private let journal: (any CommitJournal)?
  /// Records the changes of the running transaction for the journal.
  private var recorder: ChangeRecorder?
  /// The root row as this connection left it, without its content, and SQLite's data version then.
  private var committed: (data: UInt32, root: RootRow)?

  /// - Parameters:
  ///   - walPages: pages in the write-ahead log from which on commits move it to the file.
  ///   - journal: gets each commit before the file.
  init(_ sqlite: SQLiteConnection, walPages: Int, journal: (any CommitJournal)?) throws {
    self.sqlite = sqlite
    self.journal = journal
    checkpointer = Checkpointer(limit: walPages)
    reader = try ReaderConnection(sqlite)
    buffer = try WALWriteBuffer(sqlite)
    insertNode = try sqlite.prepare("INSERT INTO node(id, content) VALUES (?, ?)")
    deleteNode = try sqlite.prepare("DELETE FROM node WHERE id = ?")
    deleteNodes = try sqlite.prepare("DELETE FROM node WHERE id BETWEEN ? AND ?")
    updateRoot = try sqlite.prepare("UPDATE root SET version = ?, freeable = ?, content = ?, recent = ? WHERE id = 1")
    beginStatement = try sqlite.prepare("BEGIN IMMEDIATE")
    commitStatement = try sqlite.prepare("COMMIT")
  }

  /// Takes SQLite's write lock, waiting up to the busy timeout.
  func begin() throws {
    try beginStatement.run()
    preallocation.extend(sqlite)
    if journal != nil { recorder = try ChangeRecorder(sqlite, leavingOut: "journal") }
  }

  /// The root row that the transaction replaces; its content only when the version is not `known`.
  func root(known: UInt64) throws -> RootRow? {
    // The row need not be read where no other connection wrote since this one did.
    if let committed, committed.root.version == known, committed.data == sqlite.dataVersion { return committed.root }
    return try reader.root(known: known, isToBeReplaced: true)
  }

  /// Commits the SQLite transaction.
  func commit() throws { try buffer.gathering { _ = try commitStatement.run() } }

  /// Moves the write-ahead log to the file when the last commit made it long enough, by another connection of `database`.
  func checkpointIfDue(_ database: Database) {
    checkpointer.runIfDue(sqlite) { body in try database.reading { try body($0.sqlite) } }
  }

  /// Replaces the root row and commits.
  func commit(version: UInt64, freeable: UInt64, root: [UInt8], recent: [UInt8]) throws {
    committed = nil
    try update(version: version, freeable: freeable, root: root, recent: recent)
    try appendToJournal(version)
    try commit()
    committed = sqlite.dataVersion.map {
      ($0, RootRow(version: version, freeable: freeable, content: nil, recent: recent))
    }
  }

  /// Makes the transaction durable in the journal, if there is one, and keeps the journal's mark.
  private func appendToJournal(_ version: UInt64) throws {
    guard let journal, let recorder else { return }
    let changes = try recorder.patch()
    self.recorder = nil
    let mark = try journal.append(JournaledCommit(version: version, changes: changes))
    try reader.tables.make(.journal)
    try reader.statement(Self.keepMark).bind(1, mark).run()
  }

  /// Writes the mark of the latest version.
  static func keep(_ mark: [UInt8], _ sqlite: SQLiteConnection, _ tables: inout SideTables) throws {
    try tables.make(.journal)
    try sqlite.prepare(keepMark).bind(1, mark).run()
  }

  private static let keepMark = "INSERT OR REPLACE INTO journal(id, mark) VALUES (1, ?)"

  /// Rolls the SQLite transaction back.
  func rollback() {
    recorder = nil
    // SQLite may have ended the transaction itself.
    if sqlite.isInTransaction { try? sqlite.execute("ROLLBACK") }
    reader.tables.forget()
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
}

// The table of retired nodes.
extension WriterConnection {
  /// Stores the nodes that a version replaced, replacing an earlier entry of that version.
  func retire(_ ids: [UInt8], version: UInt64) throws {
    try reader.tables.make(.retired)
    try reader.statement("INSERT OR REPLACE INTO retired(version, ids) VALUES (?, ?)")
      .bind(1, Int64(bitPattern: version)).bind(2, ids).run()
  }

  /// The oldest entries above `after` and at or below `version`, at most `limit`.
  func retired(after: UInt64, through version: UInt64, limit: Int) throws -> [(version: UInt64, ids: [UInt8])] {
    guard try reader.tables.has(.retired) else { return [] }
    let select = try reader.statement(
      "SELECT version, ids FROM retired WHERE version > ? AND version <= ? ORDER BY version LIMIT ?")
    try select.bind(1, Int64(bitPattern: after)).bind(2, Int64(clamping: version)).bind(3, Int64(limit))
    defer { select.reset() }
    var result: [(version: UInt64, ids: [UInt8])] = []
    while try select.step() {
      result.append((UInt64(bitPattern: select.int(at: 0)), select.bytes(at: 1)))
    }
    return result
  }

  /// Deletes entries, of which there is at least one.
  func forgetRetired(_ versions: ClosedRange<UInt64>) throws {
    try reader.statement("DELETE FROM retired WHERE version BETWEEN ? AND ?")
      .bind(1, Int64(bitPattern: versions.lowerBound)).bind(2, Int64(bitPattern: versions.upperBound)).run()
  }
}
