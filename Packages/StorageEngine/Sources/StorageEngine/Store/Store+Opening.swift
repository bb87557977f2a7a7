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
  ) throws -> Store {
    let location = try canonical(location)
    return try registry.withLock { stores in
      if let store = stores[location]?.store {
        guard store.configuration.sealing?.fingerprint == configuration.sealing?.fingerprint else { throw wrongKey }
        return store
      }
      let store = try make(location, configuration)
      stores = stores.filter { $0.value.store != nil }
      stores[location] = WeakStore(store: store)
      return store
    }
  }

  private struct WeakStore { weak var store: Store? }

  private static let registry = Mutex<[StoreLocation: WeakStore]>([:])

  private static var wrongKey: StorageError {
    StorageError(
      .wrongKey, "The key does not open this file. Use the key that the file was created with, or none if it had none.")
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

  private static func make(_ location: StoreLocation, _ configuration: StoreConfiguration) throws -> Store {
    switch location {
    case .inMemory:
      return try make(location, configuration, path: ":memory:", isReady: false, coordination: nil)
    case .file(let path):
      if !configuration.createsIfMissing, access(path, F_OK) != 0 {
        throw StorageError(.cannotOpen, "'\(path)' does not exist. Check the path, or allow the file to be created.")
      }
      let isReady = try inspect(path)
      let coordination = try CoordinationFile(path: path + ".lock")
      return try make(location, configuration, path: path, isReady: isReady, coordination: coordination)
    }
  }

  /// Looks at the file without touching it, so that somebody else's file gets no companions.
  ///
  /// - Returns: whether its header says that it is ours, of a format we know; if not, SQLite must be asked, since
  ///   what the file says may still stand in its write-ahead log.
  private static func inspect(_ path: String) throws -> Bool {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno == ENOENT else {
        throw StorageError(.permissionDenied, "'\(path)' may not be read. Check its permissions.")
      }
      return false
    }
    defer { Glibc.close(descriptor) }
    var header = [UInt8](repeating: 0, count: 100)
    let count = header.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, 100) }
    if count == 0 { return false }
    guard count >= 16, header.starts(with: Array("SQLite format 3\0".utf8)) else { throw notAStore }
    func number(_ at: Int) -> Int64 { header[at..<at + 4].reduce(0) { $0 << 8 | Int64($1) } }
    // Bytes 18 and 19 are 2 in WAL mode; 60 is the user version, 68 the application.
    let format = number(60)
    return count == 100 && header[18] == 2 && header[19] == 2 && number(68) == FileLayout.applicationID && format > 0
      && format <= FileLayout.format
  }

  private static var notAStore: StorageError {
    StorageError(.notAStore, "The file is not an OpenRealm file. Check that the path names the right file.")
  }

  private static func make(
    _ location: StoreLocation, _ configuration: StoreConfiguration, path: String, isReady: Bool,
    coordination: CoordinationFile?
  ) throws -> Store {
    try translating("open '\(path)'") {
      let connection = try SQLiteConnection(path: path, mode: configuration.createsIfMissing ? .create : .readWrite)
      connection.setBusyTimeout(configuration.busyTimeout)
      if !isReady { try prepare(connection, configuration) }
      if configuration.sealing != nil { try checkKey(connection, configuration) }
      let database = try Database(location: location, configuration: configuration, connection: connection)
      let loader = NodeLoader(
        source: NodeSource(database: database, sealing: configuration.sealing),
        cache: NodeCache(budget: configuration.cacheBudgetInBytes))
      let empty = RootState(
        version: 0, nextNode: 1, nextTable: 0, nextIndex: 0, tables: [], records: [:], earlier: nil)
      let store = Store(
        location: location, configuration: configuration, loader: loader, pins: PinBoard(coordination: coordination),
        root: empty)
      do {
        try store.readFirst()
      } catch let error as StorageError where error.code == .corrupt {
        // Without a key a sealed file looks damaged.
        try checkKey(connection, configuration)
        throw error
      }
      return store
    }
  }

  /// Brings the first version into memory, so that damage shows at once.
  private func readFirst() throws {
    guard case .inMemory = location else {
      let snapshot = try latestSnapshot()
      current.withLock { $0 = snapshot.root }
      observers.known(snapshot.root.version)
      return
    }
    let root = try latestRoot(known: 0)
    _ = try adopt(root.version, root.content, current.withLock { $0 })
    observers.known(root.version)
  }

  /// Checks that the file is ours and of a known format, or makes it so when it is new.
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

  private static func checkKey(_ connection: SQLiteConnection, _ configuration: StoreConfiguration) throws {
    let select = try connection.prepare("SELECT content FROM header WHERE name = 'sealing'")
    let fingerprint = try select.step() ? select.bytes(at: 0) : []
    guard fingerprint == configuration.sealing?.fingerprint ?? [] else { throw wrongKey }
  }

  private static func create(_ connection: SQLiteConnection, _ configuration: StoreConfiguration) throws {
    try connection.execute(FileLayout.schema)
    try connection.execute("PRAGMA application_id = \(FileLayout.applicationID)")
    try connection.execute("PRAGMA user_version = \(FileLayout.format)")
    let root = RootState(
      version: 1, nextNode: 1, nextTable: 0, nextIndex: 0, tables: [], records: [:], earlier: nil)
    let content = try NodeSource.closedRoot(root.encoded(), version: 1, sealing: configuration.sealing)
    try connection.prepare("INSERT INTO root(id, version, freeable, content, recent) VALUES (1, 1, 1, ?, x'')")
      .bind(1, content).run()
    if let fingerprint = configuration.sealing?.fingerprint {
      try connection.prepare("INSERT INTO header(name, content) VALUES ('sealing', ?)").bind(1, fingerprint).run()
    }
  }
}
