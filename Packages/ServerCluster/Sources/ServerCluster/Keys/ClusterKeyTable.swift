import ObjectServer
import PostgresClient

/// The keys of a cluster in its database, wrapped with its secret when it has one. Within a transaction of the directory.
struct ClusterKeyTable {
  let connection: PostgresConnection
  let secret: ClusterSecret?

  /// The keys, and whether a node with this secret has to write them again; nil when there are none.
  ///
  /// - Throws: ``ServerError/Code/badKey`` when they are wrapped with another secret, or with one and this node has none; `PostgresError`.
  func read() throws -> (keys: KeyFiles, isToBeWrapped: Bool)? {
    let rows = try connection.query("SELECT name, content, wrapped FROM cluster_key")
    guard rows.count > 0 else { return nil }
    var texts: [String: String] = [:]
    var isPlain = false
    for row in 0..<rows.count {
      guard let name = rows[row, 0], let bytes = rows.bytes(row, 1) else { continue }
      if rows[row, 2] == "t" {
        guard let secret else { throw Self.noSecret }
        texts[name] = try secret.unwrapped(bytes, name: name)
      } else {
        isPlain = true
        texts[name] = String(decoding: bytes, as: UTF8.self)
      }
    }
    return (KeyFiles(texts), isPlain && secret != nil)
  }

  /// Replaces the keys.
  func write(_ keys: KeyFiles) throws {
    try connection.query("DELETE FROM cluster_key")
    for (name, text) in keys.texts {
      let bytes = try secret?.wrapped(text, name: name) ?? Array(text.utf8)
      try connection.query(
        "INSERT INTO cluster_key(name, content, wrapped) VALUES ($1, $2, $3)",
        parameters: [.text(name), .bytes(bytes), .text(secret == nil ? "f" : "t")])
    }
  }

  private static var noSecret: ServerError {
    ServerError(
      .badKey, "the keys of the cluster are wrapped with a secret, and this node has none",
      remedy: "give it the cluster-secret-file of the other nodes")
  }
}
