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
  /// - Parameters:
  ///   - folder: the folder `keys` of this node's data directory. The first node's keys, made when they are missing, become the
  ///     cluster's; that of each other node is made a copy of them.
  ///   - secret: the secret that wraps the keys in the database; nil for keys that its permissions protect.
  /// - Throws: ``ServerError/Code/badKey`` when the keys are not the cluster's, or the secret is not;
  ///   ``ServerError/Code/directoryFailure``.
  public convenience init(
    _ database: ClusterDatabase, keys folder: String, secret: ClusterSecret? = nil
  ) throws(ServerError) {
    try self.init { try PostgresDirectoryStorage(database, keys: folder, secret) }
  }
}
