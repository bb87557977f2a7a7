import Glibc
import SQLiteDatabase
import Synchronization

extension Store {
  /// Opens a store, creating it when the configuration says so. Opening a location that is open in this process
  /// gives the same store; its configuration then stays, and a different key is refused.
  ///
  /// - Throws: ``StorageError`` with code `notAStore`, `newerFormat`, `corrupt`, `wrongKey`, `permissionDenied`,
  ///   `cannotOpen`, `diskFull`, `locked` or `tooManyProcesses`.
  public static func open(
    _ location: StoreLocation, configuration: StoreConfiguration = StoreConfiguration()
  ) throws -> Store { try openAndRead(location, configuration: configuration).store }

  /// Opens a store as ``open(_:configuration:)`` does, and returns the version that this had to read.
  ///
  /// - Returns: the store; and its latest version when this call opened it, nil when it was open already.
  /// - Throws: ``StorageError`` as ``open(_:configuration:)``.
  public static func openAndRead(
    _ location: StoreLocation, configuration: StoreConfiguration = StoreConfiguration()
  ) throws -> (store: Store, snapshot: Snapshot?) {
    let location = try canonical(location)
    return try opening.withLock { _ -> (store: Store, snapshot: Snapshot?) in
      guard let store = opened[location] else {
        let (store, first) = try make(location, configuration)
        return (opened.add(store, for: location), first)
      }
      guard store.configuration.key?.fingerprint == configuration.key?.fingerprint else {
        throw wrongKey(isSealed: store.configuration.key != nil, isGiven: configuration.key != nil)
      }
      guard !store.isImmutable || configuration.isReadOnly else {
        throw StorageError(
          .permissionDenied,
          "The file or its folder may not be written. Check their permissions, or open it read-only.")
      }
      if !configuration.isReadOnly { store.isReadOnly.store(false, ordering: .relaxed) }
      return (store, nil)
    }
  }

  /// The store of a file, if this process has it open; opens nothing.
  ///
  /// - Throws: ``StorageError`` with code `cannotOpen` when the folder does not exist.
  public static func ifOpen(_ location: StoreLocation) throws -> Store? { opened[try canonical(location)] }

  /// Held while a file is opened.
  private static let opening = Mutex(())

  private static func wrongKey(isSealed: Bool, isGiven: Bool) -> StorageError {
    let message =
      switch (isSealed, isGiven) {
      case (true, false): "The file is encrypted. Open it with the key that it was created with."
      case (false, true): "The file is not encrypted. Open it without a key, or make an encrypted copy of it."
      default: "The file is not readable with that key. Use the key that it was created with."
      }
    return StorageError(.wrongKey, message)
  }

  /// The location with the folder of its file resolved, so that one file has one store.
  private static func canonical(_ location: StoreLocation) throws -> StoreLocation {
    guard case .file(let path) = location else { return location }
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return .file(path: String(cString: resolved))
    }
    let split = path.lastIndex(of: "/")
    let folder = split.map { String(path[..<$0]) } ?? "."
    let name = split.map { String(path[path.index(after: $0)...]) } ?? path
    guard let resolved = realpath(folder.isEmpty ? "/" : folder, nil) else {
      throw StorageError(.cannotOpen, "The folder of '\(path)' does not exist or may not be read. Create it first.")
    }
    defer { free(resolved) }
    let base = String(cString: resolved)
    return .file(path: (base == "/" ? "" : base) + "/" + name)
  }

  /// Makes the store of a location that is not open in this process, and reads its latest version.
  private static func make(
    _ location: StoreLocation, _ configuration: StoreConfiguration
  ) throws -> (store: Store, first: Snapshot) {
    precondition(configuration.journal == nil || configuration.key == nil, "a store with a journal is not encrypted")
    let opener = try opener(of: location, configuration)
    return try translating("open '\(opener.path)'") {
      let connection = try connect(opener, configuration)
      // The lock file is made after the check, so that a file of another program gets none.
      let isReady = try inspect(connection, opener)
      let lockFile = try openLockFile(of: location, opener)
      // A file that was deleted before the lock file showed it in use is gone: the file at the path now is opened.
      if lockFile != nil, connection.hasMoved { return try make(location, configuration) }
      if !isReady { try prepare(connection, configuration) }
      let sealing = try configuration.key.map { try Self.sealing(of: connection, $0) }
      let database = try Database(
        location: location, settings: configuration.databaseSettings, opener: opener, connection: connection)
      let loader = NodeLoader(
        source: NodeSource(database: database, sealing: sealing),
        cache: NodeCache(budget: configuration.cacheBudgetInBytes.map { CacheBudget(bytes: $0) } ?? .shared))
      let store = Store(
        location: location, configuration: configuration, loader: loader,
        registry: SnapshotRegistry(lockFile: lockFile), root: .blank)
      do { return (store, try store.readFirst(isReadOnly: configuration.isReadOnly)) } catch let error as StorageError
        where error.code == .corrupt && sealing == nil
      {
        // Without its key an encrypted file looks damaged.
        guard try header(connection)["sealing"] == nil else { throw wrongKey(isSealed: true, isGiven: false) }
        throw error
      }
    }
  }

  /// The opener of a store's connections.
  private static func opener(of location: StoreLocation, _ configuration: StoreConfiguration) throws -> Database.Opener
  {
    guard case .file(let path) = location else {
      return Database.Opener(path: ":memory:", mode: .create, fileSystem: nil)
    }
    if !configuration.createsIfMissing || configuration.isReadOnly, access(path, F_OK) != 0 {
      throw StorageError(.cannotOpen, "'\(path)' does not exist. Check the path, or allow the file to be created.")
    }
    let isImmutable = configuration.isReadOnly && !isWritable(path)
    return Database.Opener(
      path: path, mode: isImmutable ? .immutable : .readWrite, fileSystem: configuration.fileSystem)
  }

  private static func connect(
    _ opener: Database.Opener, _ configuration: StoreConfiguration
  ) throws -> SQLiteConnection {
    do {
      let connection = try opener.connect(creating: configuration.createsIfMissing && !configuration.isReadOnly)
      connection.setBusyTimeout(configuration.busyTimeout)
      return connection
    } catch let error as SQLiteError where error.kind == .cannotOpen {
      // SQLite does not say why.
      var status = stat()
      if stat(opener.path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { throw notAStore }
      guard access(opener.path, R_OK) != 0, errno == EACCES else { throw error }
      throw StorageError(
        .permissionDenied, "'\(opener.path)' may not be read. Check its permissions.", cause: error)
    }
  }

  /// Checks the head of the file without changing anything.
  ///
  /// - Returns: whether the head is that of a store in a known format; if not, SQLite must be asked, since the
  ///   content of the head may still stand in the write-ahead log.
  private static func inspect(_ connection: SQLiteConnection, _ opener: Database.Opener) throws -> Bool {
    let head = try connection.fileHead(100)
    if head.isEmpty { return false }
    // A power loss while the file was made: the journal says that there was none, and SQLite removes the content.
    if head.allSatisfy({ $0 == 0 }), access(opener.path + "-journal", F_OK) == 0 { return false }
    guard head.starts(with: "SQLite format 3\0".utf8) else { throw notAStore }
    func number(_ at: Int) -> Int64 { head[at..<at + 4].reduce(0) { $0 << 8 | Int64($1) } }
    // Bytes 18 and 19 are 2 in WAL mode; 60 is the user version, 68 the application.
    return head.count == 100 && head[18] == 2 && head[19] == 2 && number(68) == FileLayout.applicationID
      && number(60) > 0 && number(60) <= FileLayout.format
  }

  /// Opens the lock file; nil for a store in memory, and for a file that is read as it stands.
  private static func openLockFile(of location: StoreLocation, _ opener: Database.Opener) throws -> LockFile? {
    guard case .file(let path) = location else { return nil }
    if case .immutable = opener.mode {
      try checkIsWhole(path)
      return nil
    }
    return try LockFile(path: path + ".lock")
  }

  /// Whether this process may write the file, and companions beside it.
  private static func isWritable(_ path: String) -> Bool {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    return access(path, R_OK | W_OK) == 0 && access(folder, W_OK | X_OK) == 0
  }

  /// Without a folder to write in, commits that still stand in the write-ahead log cannot be read.
  private static func checkIsWhole(_ path: String) throws {
    var status = stat()
    guard stat(path + "-wal", &status) == 0, status.st_size > 0 else { return }
    throw StorageError(
      .permissionDenied,
      "'\(path)' was not closed: its last commits stand in '\(path)-wal'. Open it once where it may be written, and copy it then."
    )
  }

  private static var notAStore: StorageError {
    StorageError(.notAStore, "The file is not an OpenRealm file. Check that the path names the right file.")
  }

  /// Reads the latest version, so that damage shows at once.
  private func readFirst(isReadOnly: Bool) throws -> Snapshot {
    if case .inMemory = location {
      let root = try latestRoot(known: 0)
      _ = try adopt(root.version, root.content, current.withLock { $0 })
    }
    // With a reader of all versions, the one that is read is whole.
    registry.retain(1, end: .max)
    defer { registry.release(1) }
    var snapshot = try latestSnapshot()
    current.withLock { $0 = snapshot.root }
    if snapshot.root.logs == nil, !isReadOnly {
      // Every write transaction migrates a file of an earlier format.
      try beginWrite().commit()
      snapshot = try latestSnapshot()
    }
    observers.note(snapshot.root.version)
    return snapshot
  }

  /// Checks that the file is a store of a known format; makes it one when it is new.
  private static func prepare(_ connection: SQLiteConnection, _ configuration: StoreConfiguration) throws {
    if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
      try connection.execute("PRAGMA page_size = \(FileLayout.pageSize)")
      _ = try connection.text("PRAGMA journal_mode = WAL")
      try connection.transaction {
        // Another process may have been faster.
        guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else { return }
        try create(connection, configuration)
      }
    }
    guard try connection.integer("PRAGMA application_id") == FileLayout.applicationID else { throw notAStore }
    let format = try connection.integer("PRAGMA user_version") ?? 0
    guard format <= FileLayout.format else {
      throw StorageError(
        .newerFormat, "The file has format \(format); this release reads up to \(FileLayout.format). Update the app.")
    }
    _ = try connection.text("PRAGMA journal_mode = WAL")
  }

  /// The table `header` by name; empty for a file in clear.
  private static func header(_ connection: SQLiteConnection) throws -> [String: [UInt8]] {
    var tables = SideTables(connection)
    guard try tables.has(.header) else { return [:] }
    let select = try connection.prepare("SELECT name, content FROM header")
    var header: [String: [UInt8]] = [:]
    while try select.step() { header[select.text(at: 0) ?? ""] = select.bytes(at: 1) }
    return header
  }

  /// The sealing of the file, if the key is right.
  private static func sealing(of connection: SQLiteConnection, _ key: any SealingKey) throws -> any Sealing {
    let header = try header(connection)
    guard let fingerprint = header["sealing"] else { throw wrongKey(isSealed: false, isGiven: true) }
    let sealing = try key.sealing(salt: header["salt"] ?? [])
    guard sealing.fingerprint == fingerprint else { throw wrongKey(isSealed: true, isGiven: true) }
    return sealing
  }

  private static func create(_ connection: SQLiteConnection, _ configuration: StoreConfiguration) throws {
    let sealing = try FileLayout.create(connection, key: configuration.key)
    let root = RootPage(
      version: 1, nextNode: 1, nextTable: 0, nextIndex: 0, tables: [], records: .none, logs: .empty, pending: [],
      schemaOf: nil)
    let content = try NodeSource.closed(root.encoded(), for: .root(version: 1), sealing: sealing)
    try connection.prepare("INSERT INTO root(id, version, freeable, content, recent) VALUES (1, 1, 1, ?, x'')")
      .bind(1, content).run()
  }
}
