import SQLiteDatabase
import Synchronization

/// The SQLite side of a store: one connection that writes and a pool of connections that read.
///
/// A store in memory has one connection for everything. The connection that writes is opened when it is first needed,
/// so that opening a store costs one connection.
final class Database: Sendable {
  /// A connection, opened when first used, and the turn to use it.
  final class Turn<Door>: @unchecked Sendable {
    // @unchecked: the door is touched only inside `with`, by one thread at a time.
    private var door: Door?
    private let make: @Sendable () throws -> Door
    private let mutex = Mutex(())

    init(_ make: @escaping @Sendable () throws -> Door) { self.make = make }

    init(_ door: Door) {
      self.door = door
      make = { throw StorageError(.closed, "The store is closed.") }
    }

    private func opened() throws -> Door {
      if let door { return door }
      let new = try make()
      door = new
      return new
    }

    func with<R>(_ body: (Door) throws -> R) throws -> R {
      // The result crosses out of the lock by reference; only values leave the callers' closures.
      var result: Result<R, any Error>?
      mutex.withLock { _ in result = Result { try body(opened()) } }
      guard let result else { throw StorageError(.closed, "The store is closed.") }
      return try result.get()
    }
  }

  /// How connections are opened.
  struct Opener: Sendable {
    let path: String
    let mode: SQLiteConnection.Mode
    let fileSystem: String?

    func connect(creating: Bool = false) throws -> SQLiteConnection {
      try SQLiteConnection(path: path, mode: creating ? .create : mode, fileSystem: fileSystem)
    }
  }

  let location: StoreLocation
  let opener: Opener
  let writer: Turn<WritingDoor>
  private let readTimeout: Duration
  private let idle = Mutex<[Turn<ReadingDoor>]>([])

  /// - Parameter connection: the first connection, on a file that is ready.
  init(
    location: StoreLocation, configuration: StoreConfiguration, opener: Opener, connection: SQLiteConnection
  ) throws {
    self.location = location
    self.opener = opener
    readTimeout = configuration.readTimeout
    guard case .file = location else {
      try FileLayout.configure(connection, isDurable: configuration.isDurable)
      writer = Turn(try WritingDoor(connection, logPages: configuration.logPages))
      return
    }
    let (timeout, isDurable, logPages) = (
      configuration.busyTimeout, configuration.isDurable, configuration.logPages
    )
    writer = Turn {
      let connection = try opener.connect()
      connection.setBusyTimeout(timeout)
      try FileLayout.configure(connection, isDurable: isDurable)
      try FileLayout.upgrade(connection)
      return try WritingDoor(connection, logPages: logPages)
    }
    connection.setBusyTimeout(readTimeout)
    let first = Turn(try ReadingDoor(connection))
    idle.withLock { $0.append(first) }
  }

  var isInMemory: Bool { if case .inMemory = location { true } else { false } }

  /// Runs `body` with a connection that sees the latest commit; in memory it also sees what a running write
  /// transaction wrote.
  func reading<R>(_ body: (ReadingDoor) throws -> R) throws -> R {
    guard !isInMemory else { return try writer.with { try body($0.reading) } }
    let turn = try idle.withLock { $0.popLast() } ?? open()
    defer { idle.withLock { if $0.count < 16 { $0.append(turn) } } }
    return try turn.with(body)
  }

  private func open() throws -> Turn<ReadingDoor> {
    let connection = try opener.connect()
    connection.setBusyTimeout(readTimeout)
    return Turn(try ReadingDoor(connection))
  }
}
