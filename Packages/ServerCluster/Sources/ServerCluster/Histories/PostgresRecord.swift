import Foundation
public import ObjectServer
public import Permissions
import PostgresClient
import RecordStore
import StorageEngine
public import protocol StorageEngine.CommitJournal
import Synchronization
public import Telemetry

/// The record of realms in PostgreSQL: each commit of a node's files, in the transaction that checks that the node owns the realm.
///
///     let record = PostgresRecord(database, ownership)
///     let stores = EmbeddedHistories(.folder("realms"), random: random, isDurable: false, record: record)
///
/// The files may be lost: they are made again from checkpoints and commits. From any thread.
public final class PostgresRecord: RealmRecord {
  private struct Weak { weak var journal: RealmJournal? }

  private let database: ClusterDatabase
  private let ownership: ShardOwnership
  private let logger: Logger
  private let leastTail: Int64
  private let commitLimit: Int
  /// The journals of files that are open, or were.
  private let journals = Mutex<[RealmPath: Weak]>([:])
  /// Held while the file of a path is brought up, so that it is done once.
  private let preparing = KeyedLock<RealmPath>()
  /// Makes checkpoints, one after the other.
  private let maintenance = DispatchQueue(label: "checkpoints of realms", qos: .utility)

  /// The record in a database, for the realms that a node owns.
  ///
  /// - Parameters:
  ///   - leastTail: bytes of changes in a realm's record from which on they are replaced by a checkpoint, when they are also twice as
  ///     long as the last one.
  ///   - commitLimit: the most bytes of changes of a commit; what is larger is refused. PostgreSQL answers with up to a GiB, in which a
  ///     byte takes two.
  public init(
    _ database: ClusterDatabase, _ ownership: ShardOwnership, leastTail: Int64 = 4 << 20, commitLimit: Int = 500 << 20,
    logger: Logger = .disabled
  ) {
    self.commitLimit = commitLimit
    self.leastTail = leastTail
    self.database = database
    self.ownership = ownership
    self.logger = logger
  }

  /// Brings the file of a realm up to the record.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` when another node has the realm, or the database cannot be reached.
  public func prepare(
    _ path: RealmPath, file: String, createsIfMissing: Bool
  ) throws -> (any CommitJournal)? {
    let shard = ShardNumber(of: path)
    return try preparing.withLock(path) {
      if let journal = journals.withLock({ $0[path]?.journal }) {
        // A node that lost the realm and has it again may still have an older file open.
        guard !journal.isBroken, ownership.fence(of: shard)?.epoch == journal.epoch else {
          throw ServerError(
            .clusterFailure, "the realm \(path) is still open for a consumer of its commits",
            remedy: "nothing: it is opened again when the consumer lets go")
        }
        return journal
      }
      do { return try open(path, shard, file, createsIfMissing) } catch { throw ClusterDatabase.failure(error) }
    }
  }

  private func open(
    _ path: RealmPath, _ shard: ShardNumber, _ file: String, _ createsIfMissing: Bool
  ) throws -> RealmJournal? {
    if ownership.fence(of: shard) == nil, try ownership.acquire(path) != .here { throw Self.lost(path) }
    guard let epoch = ownership.fence(of: shard)?.epoch else { throw Self.lost(path) }
    guard let row = try broughtUp(path, shard, file, createsIfMissing) else { return nil }
    let tail = try database.perform {
      try $0.query(
        "SELECT coalesce(sum(length(changes)), 0) FROM realm_commit WHERE realm = $1",
        parameters: [.integer(row.number)]
      ).integer(0, 0) ?? 0
    }
    let checkpoint = Mutex(row.checkpointBytes)
    let journal = RealmJournal(row, shard: shard, epoch: epoch, tail: tail, limit: commitLimit, database, ownership) {
      [weak self, leastTail] journal, tail in
      guard RealmCheckpoint.isDue(tail: tail, checkpoint: checkpoint.withLock({ $0 }), least: leastTail) else { return }
      // Not again before this one is made.
      checkpoint.withLock { $0 = .max / 2 }
      // A realm that is closed meanwhile gets no checkpoint, and its journal does not outlive it for one.
      self?.maintenance.async { [weak self, weak journal] in
        guard let journal else { return }
        let bytes = self?.makeCheckpoint(of: journal, file, tail)
        checkpoint.withLock { $0 = bytes ?? row.checkpointBytes }
      }
    }
    journals.withLock { $0[path] = Weak(journal: journal) }
    return journal
  }

  /// Brings the file up to the record as it is on the disk of the database and of its standby.
  ///
  /// A database that was started again shows commits that its standby may not have yet. What is read here is acknowledged to clients
  /// that send it again, so it must not be lost with the next fail-over: a commit of this node's own, on the server that has the
  /// same row, comes after all of it.
  private func broughtUp(
    _ path: RealmPath, _ shard: ShardNumber, _ file: String, _ createsIfMissing: Bool
  ) throws -> RealmRow? {
    for _ in 0..<5 {
      guard let row = try row(of: path, shard, createsIfMissing) else { return nil }
      try RealmCache(file: file, database: database).bringUp(to: row)
      let isConfirmed = try database.perform { connection in
        try connection.transaction {
          try connection.query(
            "UPDATE node SET expires = expires WHERE name = $1", parameters: [.text(ownership.node.name)])
          let present = try RealmRow.find(path.description, connection)
          return present?.version == row.version && present?.digest == row.digest
        }
      }
      if isConfirmed { return row }
    }
    throw ServerError(
      .clusterFailure, "the record of \(path) changes while it is read", remedy: "nothing: it is read again")
  }

  private func row(of path: RealmPath, _ shard: ShardNumber, _ createsIfMissing: Bool) throws -> RealmRow? {
    try database.perform { connection in
      if let row = try UnfinishedMove.row(of: path, connection) { return row }
      guard createsIfMissing else { return nil }
      try connection.query(
        "INSERT INTO realm(path, shard) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        parameters: [.text(path.description), .integer(Int64(shard.rawValue))])
      return try RealmRow.find(path.description, connection)
    }
  }

  private static func lost(_ path: RealmPath) -> ServerError {
    ServerError(
      .clusterFailure, "another node has the realm \(path)", remedy: "nothing: its clients are passed on to that node")
  }

  private func makeCheckpoint(of journal: RealmJournal, _ file: String, _ tail: Int64) -> Int64? {
    let copy = file + ".checkpoint"
    defer { unlink(copy) }
    do {
      unlink(copy)
      // A realm that was closed meanwhile is not opened for this: whoever opens it next needs it with its journal.
      guard let store = try Store.ifOpen(.file(path: file)), store.configuration.journal === journal else { return nil }
      try store.writeCopy(toPath: copy)
      let bytes = try RealmCheckpoint(journal: journal, database: database, ownership: ownership).upload(copy)
      if bytes != nil { journal.madeCheckpoint(of: tail) }
      return bytes
    } catch {
      logger.warn("a checkpoint of a realm was not made", ["file": LogValue(file), "reason": LogValue("\(error)")])
      return nil
    }
  }

  /// Removes the record of a realm.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` when another node has the realm, or the database cannot be reached.
  public func remove(_ path: RealmPath) throws {
    try change(path) { connection, fence in
      // Else its record stayed at the old path, and the next realm there began with it.
      try UnfinishedMove.finish(path, connection)
      return try connection.query(
        "WITH fence AS (\(ShardFence.row)) DELETE FROM realm WHERE path = $5 AND EXISTS (SELECT 1 FROM fence)",
        parameters: fence.parameters + [.text(path.description)])
    }
  }

  /// Gives the record of a realm to another path.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` when another node has the realm, or the database cannot be reached.
  public func move(_ path: RealmPath, to newPath: RealmPath) throws {
    try change(path) { connection, fence in
      try connection.query(
        "WITH fence AS (\(ShardFence.row)) UPDATE realm SET path = $6, shard = $7 WHERE path = $5 AND EXISTS (SELECT 1 FROM fence)",
        parameters: fence.parameters + [
          .text(path.description), .text(newPath.description), .integer(Int64(ShardNumber(of: newPath).rawValue)),
        ])
    }
  }

  /// Changes the row of a realm that this node owns. A row that is missing is no failure.
  private func change(
    _ path: RealmPath, _ body: (PostgresConnection, ShardFence) throws -> PostgresResult
  ) throws {
    let shard = ShardNumber(of: path)
    do {
      if ownership.fence(of: shard) == nil { _ = try ownership.acquire(path) }
      guard let fence = ownership.fence(of: shard) else {
        throw ServerError(
          .clusterFailure, "another node has the realm \(path)", remedy: "ask that node")
      }
      try database.perform { connection in
        guard try body(connection, fence).affected == 0 else { return }
        guard try RealmRow.find(path.description, connection) == nil else {
          throw ServerError(.clusterFailure, "another node took the realm \(path)", remedy: "ask that node")
        }
      }
      journals.withLock { $0[path] = nil }
    } catch { throw ClusterDatabase.failure(error) }
  }
}
