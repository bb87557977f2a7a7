import Cryptography
import ObjectServer
import PostgresClient

/// The keys that all nodes of a cluster have: the one that seals the directory, and those that sign tokens. They are in the database; the
/// folder `keys` of each node is a copy.
enum ClusterKeys {
  /// Brings the folder of this node and the cluster's keys into agreement, and makes them when this is the first node.
  ///
  /// - Parameter connection: within a transaction that is the only one to write.
  /// - Returns: the key of the seals.
  /// - Throws: ``ServerError/Code/badKey`` for keys of another cluster, and another secret; `PostgresError`.
  static func agree(
    _ folder: String, _ secret: ClusterSecret?, on connection: PostgresConnection
  ) throws -> DirectoryKey {
    let table = ClusterKeyTable(connection: connection, secret: secret)
    let known = try fingerprints(on: connection)
    let own = try KeyFiles(folder: folder)
    let agreed: KeyFiles
    let isToBeWritten: Bool
    if let (cluster, isToBeWrapped) = try table.read() {
      guard cluster.isComplete else { throw damaged("one is missing") }
      agreed = try agreement(of: own, with: cluster, folder)
      isToBeWritten = agreed != cluster || isToBeWrapped
    } else {
      agreed = try published(own, known, folder)
      isToBeWritten = true
    }
    let key = try agreed.directoryKey(), seals = try key.fingerprint()
    guard known["seals"] ?? seals == seals else {
      throw isToBeWritten ? other(folder, "seals another directory") : damaged("they seal another directory")
    }
    if isToBeWritten { try table.write(agreed) }
    try agreed.write(to: folder)
    for (name, fingerprint) in [("seals", seals), ("tokens", agreed.signingFingerprint ?? "")]
    where known[name] != fingerprint { try setFingerprint(name, fingerprint, on: connection) }
    if known["seals"] == nil { try PostgresDirectoryConnection(connection, key).sealEmptyTables() }
    return key
  }

  /// Makes the folder of this node a copy of the cluster's keys. Takes no lock.
  ///
  /// - Throws: ``ServerError/Code/badKey``, ``ServerError/Code/clusterFailure``; the folder stays as it was.
  static func refresh(_ folder: String, _ secret: ClusterSecret?, in database: ClusterDatabase) throws(ServerError) {
    do {
      let keys = try database.repeating { try ClusterKeyTable(connection: $0, secret: secret).read()?.keys }
      if let keys, keys.isComplete { try keys.write(to: folder) }
    } catch { throw ClusterDatabase.failure(error) }
  }

  /// Changes the keys of the cluster, and makes the folder of this node a copy of them.
  ///
  /// - Parameter connection: within a transaction that is the only one to write.
  static func change(
    _ folder: String, _ secret: ClusterSecret?, on connection: PostgresConnection,
    _ body: (inout KeyFiles) throws -> Void
  ) throws {
    _ = try agree(folder, secret, on: connection)
    let table = ClusterKeyTable(connection: connection, secret: secret)
    guard let before = try table.read()?.keys else { return }
    var keys = before
    try body(&keys)
    guard keys != before else { return }
    try table.write(keys)
    try keys.write(to: folder)
    try setFingerprint("tokens", keys.signingFingerprint ?? "", on: connection)
  }

  /// The keys of a cluster and of a node that enters it. A key of tokens that replaced the cluster's, so that it is among those that the node
  /// retired, becomes the cluster's: a release that kept no keys in the database was told so of a rotation.
  static func agreement(of own: KeyFiles, with cluster: KeyFiles, _ folder: String) throws(ServerError) -> KeyFiles {
    guard own.mayShareDirectory(with: cluster) else { throw other(folder, "seals another directory") }
    guard let signing = own.signingFingerprint, signing != cluster.signingFingerprint,
      !cluster.otherFingerprints.contains(signing)
    else { return cluster }
    guard let replaced = cluster.signingFingerprint, own.otherFingerprints.contains(replaced) else {
      throw other(folder, "signs tokens that the other nodes do not know")
    }
    return own.merging(cluster)
  }

  /// The keys of a node that finds none in the database: the first node's, or those of a cluster whose nodes had copies of a folder.
  private static func published(
    _ own: KeyFiles, _ known: [String: String], _ folder: String
  ) throws(ServerError) -> KeyFiles {
    var keys = own
    if known.isEmpty { keys.makeMissing(RandomSource(SecureRandom())) }
    guard keys.isComplete else {
      throw ServerError(
        .badKey, "the keys of this cluster are not in its database yet, and not in \(folder)",
        remedy: "start a node that has them first: it publishes its own")
    }
    if let signing = known["tokens"], signing != keys.signingFingerprint, !keys.otherFingerprints.contains(signing) {
      throw other(folder, "signs tokens that the other nodes do not know")
    }
    return keys
  }

  private static func setFingerprint(
    _ name: String, _ fingerprint: String, on connection: PostgresConnection
  ) throws {
    try connection.query(
      """
      INSERT INTO directory_key(name, fingerprint) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint
      """, [name, fingerprint])
  }

  private static func fingerprints(on connection: PostgresConnection) throws -> [String: String] {
    let result = try connection.query("SELECT name, fingerprint FROM directory_key")
    var known: [String: String] = [:]
    for row in 0..<result.count { known[result[row, 0] ?? ""] = result[row, 1] }
    return known
  }

  private static func damaged(_ fault: String) -> ServerError {
    ServerError(
      .badKey, "the keys in the database of the cluster are damaged: \(fault)",
      remedy: "empty the table openrealm.cluster_key, and start a node that has the keys in its folder")
  }

  private static func other(_ folder: String, _ fault: String) -> ServerError {
    ServerError(
      .badKey, "the folder \(folder) is not that of this cluster: it \(fault)",
      remedy: "remove the folder to get the cluster's keys, or check the address in 'storage'")
  }
}
