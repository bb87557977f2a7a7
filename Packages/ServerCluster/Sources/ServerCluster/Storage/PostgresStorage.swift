public import ObjectServer
public import Telemetry

/// A server as one node of a cluster over a PostgreSQL database.
///
///     let node = ClusterNode(name: "a", address: "http://10.0.0.7:9080")
///     let storage = PostgresStorage("postgresql://db.example.com/realms", node: node)
///     let server = EmbeddedServer(path: "/var/lib/openrealm", shared: storage)
public struct PostgresStorage: SharedStorage {
  private let address: String
  private let node: ClusterNode

  /// The storage in the database at an address of libpq. Connects to nothing.
  public init(_ address: String, node: ClusterNode) {
    self.address = address
    self.node = node
  }

  /// Opens the directory of users.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``, also while a data directory is moved in or out; ``ServerError/Code/badKey`` when the
  ///   keys are not the cluster's.
  public func openDirectory(keys folder: String) throws(ServerError) -> any Directory {
    let database = try ClusterDatabase(address)
    try MoveLock.checkIsFree(database)
    return try PostgresDirectory(database, keys: folder)
  }

  /// Enters the node, in the place of an earlier start of it.
  ///
  /// - Throws: as ``openDirectory(keys:)``.
  public func join(keys folder: String, logger: Logger) throws(ServerError) -> SharedParts {
    let database = try ClusterDatabase(address)
    try MoveLock.checkIsFree(database)
    // The keys are compared first: a server of another cluster does not enter this one.
    let directory = try PostgresDirectory(database, keys: folder)
    let logger = logger.child("cluster")
    let peerKey: [UInt8]
    do {
      peerKey = try DirectoryKey.load(from: folder, isSealed: true).derived(for: "requests that nodes pass on")
    } catch {
      throw ClusterDatabase.failure(error)
    }
    let ownership = try ShardOwnership(node, database, peerKey: peerKey, logger: logger)
    // An import or export looks for nodes after it took its lock.
    do { try MoveLock.checkIsFree(database) } catch {
      ownership.close()
      throw error
    }
    return SharedParts(
      directory: directory, record: PostgresRecord(database, ownership, logger: logger), placement: ownership,
      accountLimits: PostgresAccountLimits(database), leave: { ownership.close() })
  }
}
