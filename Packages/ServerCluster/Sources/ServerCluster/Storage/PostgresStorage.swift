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
  private let secret: ClusterSecret?

  /// The storage in the database at an address of libpq. Connects to nothing.
  ///
  /// - Parameter secret: the secret that wraps the keys in the database; nil for keys that its permissions protect.
  public init(_ address: String, node: ClusterNode, secret: ClusterSecret? = nil) {
    self.address = address
    self.node = node
    self.secret = secret
  }

  /// Opens the directory of users.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``, also while a data directory is moved in or out; ``ServerError/Code/badKey`` when the
  ///   keys are not the cluster's.
  public func openDirectory(keys folder: String) throws(ServerError) -> any Directory {
    let database = try ClusterDatabase(address)
    try MoveLock.checkIsFree(database)
    return try PostgresDirectory(database, keys: folder, secret: secret)
  }

  /// Changes the keys of all nodes.
  ///
  /// - Throws: as ``openDirectory(keys:)``.
  public func changeKeys(in folder: String, _ change: (inout KeyFiles) -> Void) throws(ServerError) {
    let database = try ClusterDatabase(address)
    do {
      try PostgresDirectoryStorage.alone(on: database) { try ClusterKeys.change(folder, secret, on: $0, change) }
    } catch { throw ClusterDatabase.failure(error) }
  }

  /// Enters the node, in the place of an earlier start of it.
  ///
  /// - Throws: as ``openDirectory(keys:)``.
  public func join(keys folder: String, logger: Logger, metrics: MetricsRegistry) throws(ServerError) -> SharedParts {
    let database = try ClusterDatabase(address)
    try MoveLock.checkIsFree(database)
    // The keys are compared first: a server of another cluster does not enter this one.
    let directory = try PostgresDirectory(database, keys: folder, secret: secret)
    let logger = logger.child("cluster")
    let peerKey: [UInt8]
    do {
      peerKey = try DirectoryKey.load(from: folder, isSealed: true).derived(for: "requests that nodes pass on")
    } catch {
      throw ClusterDatabase.failure(error)
    }
    let ownership = try ShardOwnership(node, database, peerKey: peerKey, logger: logger, metrics: metrics)
    // An import or export looks for nodes after it took its lock.
    do { try MoveLock.checkIsFree(database) } catch {
      ownership.close()
      throw error
    }
    return SharedParts(
      directory: directory, record: PostgresRecord(database, ownership, logger: logger), placement: ownership,
      accountLimits: PostgresAccountLimits(database), pendingAccounts: PostgresPendingAccounts(database),
      refreshKeys: { [secret] () throws(ServerError) in try ClusterKeys.refresh(folder, secret, in: database) },
      leave: { ownership.close() })
  }
}
