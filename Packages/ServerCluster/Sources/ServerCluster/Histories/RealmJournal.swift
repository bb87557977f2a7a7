import ObjectServer
import PostgresClient
import StorageEngine
import Synchronization

/// Appends the commits of one realm's file to the database, while this node owns the realm.
///
/// Each append is one transaction, which takes the row of the shard as it must be, so that no other node can become the owner
/// meanwhile, and moves the realm from the version before to this one. A node that was paused and wakes up finds another epoch there.
final class RealmJournal: CommitJournal {
  private struct State {
    var version: UInt64
    var digest: [UInt8]
    /// The reason for which the file may be behind the record: it is brought up when it is opened the next time.
    var failure: ServerError?
    /// Bytes of changes since the checkpoint.
    var tail: Int64
  }

  let realm: Int64
  let shard: ShardNumber
  /// The epoch under which the file was brought up. Under another one somebody else may have written meanwhile.
  let epoch: Int64
  private let database: ClusterDatabase
  private let ownership: ShardOwnership
  /// The most bytes of changes of a commit.
  private let limit: Int
  private let state: Mutex<State>
  /// Called after a commit, with the bytes of changes since the checkpoint.
  private let appended: @Sendable (RealmJournal, Int64) -> Void

  init(
    _ row: RealmRow, shard: ShardNumber, epoch: Int64, tail: Int64, limit: Int, _ database: ClusterDatabase,
    _ ownership: ShardOwnership,
    appended: @escaping @Sendable (RealmJournal, Int64) -> Void
  ) {
    realm = row.number
    self.shard = shard
    self.epoch = epoch
    self.database = database
    self.ownership = ownership
    self.limit = limit
    self.appended = appended
    state = Mutex(State(version: row.version, digest: row.digest, tail: tail))
  }

  /// Whether the file may be behind the record.
  var isBroken: Bool { state.withLock { $0.failure != nil } }

  /// Counts the changes since a new checkpoint.
  func madeCheckpoint(of bytes: Int64) { state.withLock { $0.tail -= min($0.tail, bytes) } }

  func append(_ commit: JournaledCommit) throws -> [UInt8] {
    let before = state.withLock { $0 }
    if let failure = before.failure { throw Self.behind(failure) }
    guard commit.version == before.version + 1 else {
      throw fail(Self.behind(Gap(recorded: before.version, version: commit.version)))
    }
    guard commit.changes.count <= limit else { throw Self.tooLarge(commit.changes.count, limit) }
    guard let fence = ownership.fence(of: shard) else { throw Self.notOwner }
    guard fence.epoch == epoch else { throw fail(Self.notOwner) }
    let digest = CommitDigest.next(before.digest, version: commit.version, changes: commit.changes)
    let affected: Int
    let start = ContinuousClock.now
    do {
      affected = try database.perform { connection in
        try connection.query(
          prepared: "append", Self.statement,
          parameters: fence.parameters + [
            .integer(realm), .integer(Int64(bitPattern: commit.version)), .bytes(digest), .bytes(commit.changes),
          ]
        ).affected
      }
    } catch {
      // It may be there all the same.
      throw fail(ClusterDatabase.failure(error))
    }
    ownership.metrics.commitSeconds.observe(start.duration(to: .now))
    guard affected == 1 else {
      ownership.lost(shard)
      throw fail(Self.notOwner)
    }
    let tail = state.withLock { state in
      (state.version, state.digest) = (commit.version, digest)
      state.tail += Int64(commit.changes.count)
      return state.tail
    }
    appended(self, tail)
    return digest
  }

  private func fail(_ error: ServerError) -> ServerError {
    state.withLock { $0.failure = error }
    return error
  }

  /// A commit that does not follow the last one that was recorded: the file did not make that one.
  struct Gap: Error { var recorded, version: UInt64 }

  private static let statement = """
    WITH fence AS (\(ShardFence.row)),
    moved AS (
      UPDATE realm SET version = $6, digest = $7
      WHERE number = $5 AND version = $6::bigint - 1 AND EXISTS (SELECT 1 FROM fence) RETURNING number)
    INSERT INTO realm_commit(realm, version, epoch, digest, changes) SELECT number, $6, $4, $7, $8 FROM moved
    """

  private static var notOwner: ServerError {
    ServerError(
      .clusterFailure, "another node has the realm", remedy: "nothing: its clients are passed on to that node")
  }

  private static func tooLarge(_ bytes: Int, _ limit: Int) -> ServerError {
    ServerError(
      .clusterFailure, "a commit of \(bytes) bytes is larger than the record of a cluster takes: \(limit)",
      remedy: "write it in several transactions; a client's upload of this size needs a server that is alone")
  }

  private static func behind(_ cause: any Error) -> ServerError {
    ServerError(
      .clusterFailure, "the node's copy of the realm is behind its record",
      remedy: "nothing: it is brought up to date when the realm is opened again", cause: cause)
  }
}
