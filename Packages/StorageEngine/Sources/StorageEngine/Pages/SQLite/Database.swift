import SQLiteDatabase
import Synchronization

/// The SQLite side of a store: one connection that writes and a pool of connections that read.
///
/// A store in memory has one connection for everything. The connection that writes is opened when it is first needed,
/// so that opening a store costs one connection. May be used from any thread.
final class Database: Sendable {
  /// A connection behind a mutex, opened when first used.
  final class Locked<Connection>: @unchecked Sendable {
    // @unchecked: the connection is touched only inside `with`, by one thread at a time.
    private var connection: Connection?
    private let open: @Sendable () throws -> Connection
    private let mutex = Mutex(())

    init(_ open: @escaping @Sendable () throws -> Connection) { self.open = open }

    init(_ connection: Connection) {
      self.connection = connection
      open = { throw StorageError(.closed, "The store is closed.") }
    }

    private func opened() throws -> Connection {
      if let connection { return connection }
      let new = try open()
      connection = new
      return new
    }

    /// Calls `body` with the connection; other threads wait meanwhile.
    func with<R>(_ body: (Connection) throws -> R) throws -> R {
      // The result crosses out of the lock by reference; only values leave the callers' closures.
      var result: Result<R, any Error>?
      mutex.withLock { _ in result = Result { try body(opened()) } }
      guard let result else { throw StorageError(.closed, "The store is closed.") }
      return try result.get()
    }
  }

  /// Opens connections.
  struct Opener: Sendable {
    let path: String
    let mode: SQLiteConnection.Mode
    /// The name of an SQLite file system; nil for the system's own.
    let fileSystem: String?

    func connect(creating: Bool = false) throws -> SQLiteConnection {
      try SQLiteConnection(path: path, mode: creating ? .create : mode, fileSystem: fileSystem)
    }
  }

  /// Settings of connections.
  struct Settings: Sendable {
    /// The time that the connection that writes waits for other writers.
    var busyTimeout: Duration
    /// The time that a connection that reads waits while another process opens or closes the file.
    var readTimeout: Duration
    /// Whether a commit syncs the write-ahead log.
    var isDurable: Bool
    /// Pages in the write-ahead log from which on commits move it to the file.
    var walPages: Int
    /// Gets each commit before the file; nil for none.
    var journal: (any CommitJournal)?
  }

  let location: StoreLocation
  let opener: Opener
  let writer: Locked<WriterConnection>
  private let readTimeout: Duration
  private let idle = Mutex<[Locked<ReaderConnection>]>([])
  /// Idle connections that are kept open.
  private static let idleLimit = 16

  /// - Parameter connection: the first connection, on a file that is ready.
  init(location: StoreLocation, settings: Settings, opener: Opener, connection: SQLiteConnection) throws {
    self.location = location
    self.opener = opener
    readTimeout = settings.readTimeout
    guard case .file = location else {
      try FileLayout.configure(connection, isDurable: settings.isDurable)
      writer = Locked(
        try WriterConnection(connection, walPages: settings.walPages, journal: settings.journal))
      return
    }
    writer = Locked {
      let connection = try opener.connect()
      connection.setBusyTimeout(settings.busyTimeout)
      try FileLayout.configure(connection, isDurable: settings.isDurable)
      try FileLayout.upgrade(connection)
      return try WriterConnection(connection, walPages: settings.walPages, journal: settings.journal)
    }
    connection.setBusyTimeout(readTimeout)
    let first = Locked(try ReaderConnection(connection))
    idle.withLock { $0.append(first) }
  }

  var isInMemory: Bool { if case .inMemory = location { true } else { false } }

  /// Calls `body` with a connection that sees the latest commit; in memory it also sees the writes of a running write
  /// transaction.
  func reading<R>(_ body: (ReaderConnection) throws -> R) throws -> R {
    guard !isInMemory else { return try writer.with { try body($0.reader) } }
    let connection = try idle.withLock { $0.popLast() } ?? open()
    defer { idle.withLock { if $0.count < Self.idleLimit { $0.append(connection) } } }
    return try connection.with(body)
  }

  private func open() throws -> Locked<ReaderConnection> {
    let connection = try opener.connect()
    connection.setBusyTimeout(readTimeout)
    return Locked(try ReaderConnection(connection))
  }
}
