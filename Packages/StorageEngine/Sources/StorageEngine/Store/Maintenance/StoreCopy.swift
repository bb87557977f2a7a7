import SQLiteDatabase

/// Copies the tables of one store file into another, sealing all content anew.
struct StoreCopy {
  let source: NodeSource
  let from: ReaderConnection
  let to: SQLiteConnection
  private var sealing: (any Sealing)?

  init(source: NodeSource, from: ReaderConnection, to: SQLiteConnection) {
    self.source = source
    self.from = from
    self.to = to
  }

  mutating func write(
    _ root: RootPage, _ logs: [(name: String, state: LogState)], key: (any SealingKey)?,
    _ progress: (_ nodes: Int, _ known: Int) throws -> Void
  ) throws {
    try to.execute(
      "PRAGMA page_size = \(FileLayout.pageSize); PRAGMA synchronous = OFF; PRAGMA cache_size = -4096;")
    _ = try to.text("PRAGMA journal_mode = OFF")
    try to.execute("BEGIN")
    sealing = try FileLayout.create(to, key: key)
    try copy(root)
    try copyNodes(of: root, progress)
    let connection = try ReaderConnection(to)
    for log in logs { try copy(log.name, log.state, to: connection) }
    try copyMark()
    try to.execute("COMMIT")
    _ = try to.text("PRAGMA journal_mode = WAL")
  }

  private func sealed(_ stored: [UInt8], for context: SealingContext) throws -> [UInt8] {
    if source.sealing == nil, sealing == nil { return stored }
    return try NodeSource.closed(try source.opened(stored, for: context), for: context, sealing: sealing)
  }

  private func copy(_ root: RootPage) throws {
    let content = try NodeSource.closed(root.encoded(), for: .root(version: root.version), sealing: sealing)
    let version = Int64(bitPattern: root.version)
    try to.prepare("INSERT INTO root(id, version, freeable, content, recent) VALUES (1, ?, ?, ?, x'')")
      .bind(1, version).bind(2, version).bind(3, content).run()
  }

  /// Copies the nodes that a version uses.
  private func copyNodes(of root: RootPage, _ progress: (Int, Int) throws -> Void) throws {
    let known = Int(try from.sqlite.integer("SELECT count(*) FROM node") ?? 0)
    var done = 0
    let unused = Set(try Verification.waiting(from).joined())
    let select = try from.statement("SELECT id, content FROM node WHERE id < ? ORDER BY id")
    try select.bind(1, root.nextNode)
    defer { select.reset() }
    let insert = try to.prepare("INSERT INTO node(id, content) VALUES (?, ?)")
    while try select.step() {
      done += 1
      try progress(done, known)
      let id = select.int(at: 0)
      guard !unused.contains(id) else { continue }
      try insert.bind(1, id).bind(2, try sealed(select.bytes(at: 1), for: .node(id))).run()
    }
  }

  /// Copies the mark of the version, by which a ``StoreReplica`` goes on from the copy.
  private func copyMark() throws {
    guard try from.tables.has(.journal), let mark = try StoreReplica.mark(from.sqlite) else { return }
    var tables = SideTables(to)
    try WriterConnection.keep(mark, to, &tables)
  }

  private func copy(_ name: String, _ state: LogState, to connection: ReaderConnection) throws {
    let log = LogStatements(connection: from, source: source, name: name, state: state)
    var copy = LogStatements(
      connection: connection, source: NodeSource(database: source.database, sealing: sealing), name: name,
      state: LogState(number: state.number))
    try copy.makeTable()
    try log.forEach(in: .min ... .max) { entry in
      try copy.put(entry.entry)
      return true
    }
    guard copy.state == state else { throw Verification.damage("log '\(name)' counts its entries wrong") }
  }
}
