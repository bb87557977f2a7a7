import ObjectServer
import PostgresClient

/// The keys that all nodes of a cluster have: the one that seals the directory, and those that sign tokens. The operator copies the
/// folder `keys` of the first node to the others; the database has fingerprints, by which a node with other keys is refused.
enum ClusterKeys {
  /// Reads the keys of this node and compares them with those of the cluster. The first node's keys become the cluster's, and are
  /// made when they are missing.
  ///
  /// A key of tokens that replaced the cluster's, so that it is among those that this node retired, becomes the cluster's.
  ///
  /// - Parameter connection: within a transaction that is the only one to write.
  /// - Returns: the key of the seals.
  /// - Throws: ``ServerError/Code/badKey`` for keys of another cluster, and a missing one; `PostgresError`.
  static func agree(_ folder: String, on connection: PostgresConnection) throws -> DirectoryKey {
    let known = try fingerprints(on: connection)
    let key: DirectoryKey
    do { key = try DirectoryKey.load(from: folder, isSealed: known["seals"] != nil) } catch {
      guard known["seals"] != nil else { throw error }
      throw other(folder, "cannot be used: \(error.message)")
    }
    let seals = try key.fingerprint()
    guard known["seals"] ?? seals == seals else { throw other(folder, "seals another directory") }
    let tokens = try TokenKeyFingerprints(folder: folder, mayMake: known["tokens"] == nil)
    if let signing = known["tokens"], signing != tokens.signing, !tokens.retired.contains(signing) {
      throw other(folder, "signs tokens that the other nodes do not know")
    }
    for (name, fingerprint) in [("seals", seals), ("tokens", tokens.signing)] where known[name] != fingerprint {
      try connection.query(
        """
        INSERT INTO directory_key(name, fingerprint) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint
        """, [name, fingerprint])
    }
    if known["seals"] == nil { try PostgresDirectoryConnection(connection, key).sealEmptyTables() }
    return key
  }

  private static func fingerprints(on connection: PostgresConnection) throws -> [String: String] {
    let result = try connection.query("SELECT name, fingerprint FROM directory_key")
    var known: [String: String] = [:]
    for row in 0..<result.count { known[result[row, 0] ?? ""] = result[row, 1] }
    return known
  }

  private static func other(_ folder: String, _ fault: String) -> ServerError {
    ServerError(
      .badKey, "the folder \(folder) is not that of this cluster: it \(fault)",
      remedy: "copy the folder 'keys' of another node of the cluster to this one")
  }
}
