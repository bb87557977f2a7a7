import Glibc
import SQLiteDatabase

extension Store {
  /// Writes a compact copy of the latest version, with its logs, to a new file, which is complete and on disk
  /// when the call returns, and is not there when it throws. Writers go on meanwhile.
  ///
  /// - Parameters:
  ///   - path: where nothing is yet.
  ///   - key: what the copy is encrypted with; nil writes it in clear, whatever the store is encrypted with.
  /// - Throws: ``StorageError`` with code `exists` when something is there, or when the copy cannot be written.
  public func writeCopy(toPath path: String, key: (any SealingKey)? = nil) throws {
    guard access(path, F_OK) != 0 else { throw Self.exists(path) }
    let draft = path + ".draft-" + String(UInt64.random(in: .min ... .max), radix: 36)
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }
    if try !write(draft, key) {
      try waitForTurn()
      defer { turn.give() }
      _ = try write(draft, key)
    }
    try Self.settle(draft, path)
  }

  /// - Returns: false in memory, when logs are not there as they were committed, since a transaction changed them.
  private func write(_ draft: String, _ key: (any SealingKey)?) throws -> Bool {
    try translating("write a copy") {
      try readingLatest { root in
        (root, try logs(of: root).all(loader))
      } _: { door, version in
        let (root, logs) = version
        let states = Dictionary(logs.map { ($0.name, $0.state) }, uniquingKeysWith: { first, _ in first })
        guard !database.isInMemory || heldLogs.withLock({ $0 == states }) else { return false }
        var copying = StoreCopy(source: loader.source, from: door, to: try SQLiteConnection(path: draft))
        try copying.write(root, logs, key: key)
        return true
      }
    }
  }

  private static func exists(_ path: String) -> StorageError {
    StorageError(.exists, "There is a file at '\(path)' already. Remove it, or name another path.")
  }

  /// Brings the finished file to disk and gives it its name, which it has only then.
  private static func settle(_ draft: String, _ path: String) throws {
    func failure(_ verb: String, _ code: Int32) -> StorageError {
      StorageError(
        code == ENOSPC ? .diskFull : .ioFailed,
        "Could not \(verb) the copy '\(path)': \(String(cString: strerror(code))). Nothing was left.")
    }
    let descriptor = Glibc.open(draft, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure("open", errno) }
    let synced = fsync(descriptor) == 0 ? 0 : errno
    Glibc.close(descriptor)
    guard synced == 0 else { throw failure("sync", synced) }
    if link(draft, path) != 0 {
      switch errno {
      case EEXIST: throw exists(path)
      case EPERM, ENOTSUP, ENOSYS, EMLINK:
        // A file system without hard links.
        guard access(path, F_OK) != 0 else { throw exists(path) }
        guard rename(draft, path) == 0 else { throw failure("name", errno) }
      case let code: throw failure("name", code)
      }
    }
    let folder = Glibc.open(path.lastIndex(of: "/").map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    _ = fsync(folder)
    Glibc.close(folder)
  }
}

/// Copies the tables of one store file into another, sealing everything anew.
struct StoreCopy {
  let source: NodeSource
  let from: ReadingDoor
  let to: SQLiteConnection
  private var sealing: (any Sealing)?

  init(source: NodeSource, from: ReadingDoor, to: SQLiteConnection) {
    self.source = source
    self.from = from
    self.to = to
  }

  mutating func write(
    _ root: RootState, _ logs: [(name: String, state: LogState)], key: (any SealingKey)?
  ) throws {
    try to.execute(
      "PRAGMA page_size = \(FileLayout.pageSize); PRAGMA synchronous = OFF; PRAGMA cache_size = -4096;")
    _ = try to.text("PRAGMA journal_mode = OFF")
    try to.execute("BEGIN")
    sealing = try FileLayout.create(to, key: key)
    try copy(root)
    try copyNodes(of: root)
    let door = try ReadingDoor(to)
    for log in logs { try copy(log.name, log.state, to: door) }
    try to.execute("COMMIT")
    _ = try to.text("PRAGMA journal_mode = WAL")
  }

  private func sealed(_ stored: [UInt8], at place: SealedPlace) throws -> [UInt8] {
    if source.sealing == nil, sealing == nil { return stored }
    return try NodeSource.closed(try source.opened(stored, at: place), at: place, sealing: sealing)
  }

  private func copy(_ root: RootState) throws {
    let content = try NodeSource.closed(root.encoded(), at: .root(version: root.version), sealing: sealing)
    let version = Int64(bitPattern: root.version)
    try to.prepare("INSERT INTO root(id, version, freeable, content, recent) VALUES (1, ?, ?, ?, x'')")
      .bind(1, version).bind(2, version).bind(3, content).run()
  }

  /// Copies the nodes that a version uses.
  private func copyNodes(of root: RootState) throws {
    let unused = Set(try Verification.waiting(from).joined())
    let select = try from.statement("SELECT id, content FROM node WHERE id < ? ORDER BY id")
    try select.bind(1, root.nextNode)
    defer { select.reset() }
    let insert = try to.prepare("INSERT INTO node(id, content) VALUES (?, ?)")
    while try select.step() {
      let id = select.int(at: 0)
      guard !unused.contains(id) else { continue }
      try insert.bind(1, id).bind(2, try sealed(select.bytes(at: 1), at: .node(id))).run()
    }
  }

  private func copy(_ name: String, _ state: LogState, to door: ReadingDoor) throws {
    let log = LogStatements(door: from, source: source, name: name, state: state)
    var copy = LogStatements(
      door: door, source: NodeSource(database: source.database, sealing: sealing), name: name,
      state: LogState(number: state.number))
    try copy.makeTable()
    try log.forEach(in: .min ... .max) { link in
      try copy.put(link.entry)
      return true
    }
    guard copy.state == state else { throw Verification.damage("log '\(name)' counts its entries wrong") }
  }
}
