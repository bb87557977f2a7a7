import ObjectServer
import PostgresClient

/// The tables of a cluster, in a schema of their own, with the number of their layout.
enum ClusterSchema {
  /// The schema of PostgreSQL in which the tables are.
  static let name = "openrealm"
  /// The statements that lead from each layout to the next; the first one begins with nothing.
  private static let layouts = [ownership + histories + directory, limits, keys, loads + pendingAccounts]
  /// The newest layout that this release knows.
  static var layout: Int64 { Int64(layouts.count) }
  /// Taken by whoever makes tables: two nodes may begin at the same time.
  private static let lock = 0x4F52_4C4D

  /// Makes the tables, or brings those of an earlier release to this layout.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` for a newer layout; `PostgresError`.
  static func install(on connection: PostgresConnection) throws {
    try connection.transaction {
      try connection.query("SELECT pg_advisory_xact_lock(\(lock))")
      try connection.query("CREATE SCHEMA IF NOT EXISTS \(name)")
      try connection.query("CREATE TABLE IF NOT EXISTS layout(number bigint NOT NULL)")
      let found = try connection.query("SELECT max(number) FROM layout").integer(0, 0) ?? 0
      guard found <= layout else {
        throw ServerError(
          .clusterFailure, "the tables of the cluster were made by a newer release", remedy: "start that release")
      }
      guard found < layout else { return }
      // Nodes that serve wait behind a change that waits, for a dump of the tables for example: no longer than their leases bear.
      try connection.query("SET LOCAL lock_timeout = '2s'")
      for statement in layouts.dropFirst(Int(clamping: found)).joined() { try connection.query(statement) }
      try connection.query("INSERT INTO layout VALUES (\(layout))")
    }
  }
}
