public import ObjectServer

/// The directory of a cluster: its tables are in PostgreSQL, and each change is durable there before it counts.
///
/// All nodes use the same tables at the same time. The changes of one node reach the feeds of the others with the next look.
public typealias PostgresDirectory = SQLDirectory<PostgresDirectoryStorage>

extension SQLDirectory where Storage == PostgresDirectoryStorage {
  /// The directory in the database of a cluster.
  ///
  ///     let directory = try PostgresDirectory(ClusterDatabase("postgresql://db.example.com/realms"), keys: "/var/lib/node/keys")
  ///
  /// - Parameter folder: the folder `keys` of this node's data directory. The first node's keys, made when they are missing, become
  ///   the cluster's; other nodes have a copy of the folder.
  /// - Throws: ``ServerError/Code/badKey`` when the keys are not the cluster's; ``ServerError/Code/directoryFailure``.
  public convenience init(_ database: ClusterDatabase, keys folder: String) throws(ServerError) {
    try self.init { try PostgresDirectoryStorage(database, keys: folder) }
  }
}
