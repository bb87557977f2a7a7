import ObjectServer
import PostgresClient

/// The lock of a cluster's database under which all realms are moved in or out: no node is there and none enters, and nobody else
/// moves. It is held by a connection, so that it goes with the process.
final class MoveLock {
  /// The connection that holds the lock.
  let connection: PostgresConnection
  private static let number = 0x4F52_4C56

  /// Takes the lock.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` while a node runs, or another import or export.
  init(_ database: ClusterDatabase) throws(ServerError) {
    do {
      connection = try database.connect()
      guard try connection.query("SELECT pg_try_advisory_lock(\(Self.number))")[0, 0] == "t" else { throw Self.isTaken }
      // A node enters and then looks for the lock, so one of the two sees the other.
      let alive = try ShardTable.members(connection).filter(\.isAlive).map(\.node.name)
      guard alive.isEmpty else {
        throw ServerError(
          .clusterFailure, "servers of the cluster run: \(alive.joined(separator: ", "))",
          remedy: "stop them; one that was killed counts until its lease has ended")
      }
    } catch { throw ClusterDatabase.failure(error) }
  }

  /// Gives the lock back at once: PostgreSQL notices the end of a connection a moment later.
  deinit { _ = try? connection.query("SELECT pg_advisory_unlock_all()") }

  /// Checks that the lock was held all the time.
  ///
  /// - Throws: `PostgresError` when its connection was lost.
  func check() throws { try connection.query("SELECT 1") }

  /// Takes all shards from their owners, and their places from all nodes: one that was paused and wakes up writes nothing until it is
  /// started again.
  ///
  /// - Throws: `PostgresError`.
  func fenceOffNodes() throws {
    try connection.transaction {
      try connection.query("UPDATE node SET incarnation = incarnation + 1, expires = '-infinity'")
      try connection.query(
        """
        WITH given AS (
          UPDATE shard SET node = '', incarnation = 0, epoch = epoch + 1, wanted = NULL
          RETURNING number, epoch, node, incarnation)
        INSERT INTO shard_history(number, epoch, node, incarnation) SELECT * FROM given
        """)
    }
  }

  /// Refuses a database that is being moved in or out, and one whose import was not finished: the directory of users comes last.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  static func checkIsFree(_ database: ClusterDatabase) throws(ServerError) {
    do {
      try database.perform { connection in
        guard try connection.query("SELECT pg_try_advisory_xact_lock_shared(\(number))")[0, 0] == "t" else {
          throw isTaken
        }
        guard try isUnfinished(connection) else { return }
        throw ServerError(
          .clusterFailure, "the import of a data directory into the cluster was not finished",
          remedy: "run 'cluster import' again, which goes on from there")
      }
    } catch { throw ClusterDatabase.failure(error) }
  }

  /// Whether there are realms, but no directory of users: a node has recorded a realm in the directory before it makes it.
  private static func isUnfinished(_ connection: PostgresConnection) throws -> Bool {
    try connection.query(
      """
      SELECT EXISTS (SELECT 1 FROM realm)
        AND NOT EXISTS (SELECT 1 FROM used_paths) AND NOT EXISTS (SELECT 1 FROM realms)
      """)[0, 0] == "t"
  }

  private static var isTaken: ServerError {
    ServerError(.clusterFailure, "an import or export of the cluster is under way", remedy: "wait until it is done")
  }
}
