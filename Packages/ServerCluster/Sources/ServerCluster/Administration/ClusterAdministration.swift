public import ObjectServer
public import Permissions
import PostgresClient

/// The nodes of a cluster as an operator sees and directs them; beside running nodes, from anywhere.
///
///     for node in try ClusterAdministration(address).nodes() { print(node.member.node.name, node.shards, node.realms) }
///
/// Functions block and throw ``ServerError/Code/clusterFailure``. From any thread.
public struct ClusterAdministration: Sendable {
  /// A node with what it has.
  public struct Node: Hashable, Sendable {
    /// The node.
    public var member: ClusterMember
    /// Its shards.
    public var shards = 0
    /// The realms in them, open or not.
    public var realms = 0
  }

  private let database: ClusterDatabase

  /// The cluster in the database at an address of libpq.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public init(_ address: String) throws(ServerError) { database = try ClusterDatabase(address) }

  /// All nodes that ever entered, by name.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func nodes() throws(ServerError) -> [Node] {
    try perform { connection in
      var nodes = try ShardTable.members(connection).map { Node(member: $0) }
      let rows = try connection.query(
        """
        SELECT node, incarnation, count(DISTINCT shard.number), count(realm.number)
        FROM shard LEFT JOIN realm ON realm.shard = shard.number GROUP BY node, incarnation
        """)
      for row in 0..<rows.count {
        let place = nodes.firstIndex {
          $0.member.node.name == rows[row, 0] && $0.member.incarnation == rows.integer(row, 1)
        }
        guard let place else { continue }
        nodes[place].shards = Int(clamping: rows.integer(row, 2) ?? 0)
        nodes[place].realms = Int(clamping: rows.integer(row, 3) ?? 0)
      }
      return nodes
    }
  }

  /// Asks the owner of a realm to give it, with the others of its shard, to another node, which it does within a second.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` when the node is not alive or drains, or nobody has the realm.
  public func move(_ path: RealmPath, to name: String) throws(ServerError) {
    try perform { connection in
      let member = try ShardTable.members(connection).first { $0.node.name == name }
      guard let member, member.isAlive, !member.isDraining else {
        throw ServerError(
          .clusterFailure, "there is no node '\(name)' that takes realms", remedy: "'cluster status' lists the nodes")
      }
      let moved = try connection.query(
        "UPDATE shard SET wanted = $2 WHERE number = $1",
        parameters: [.integer(Int64(ShardNumber(of: path).rawValue)), .text(name)]
      ).affected
      guard moved == 1 else {
        throw ServerError(
          .clusterFailure, "no node has the realm \(path) yet",
          remedy: "open it once; the first node to need it takes it")
      }
    }
  }

  /// The node that has a realm; nil when none has.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func owner(of path: RealmPath) throws(ServerError) -> ClusterMember? {
    try perform { connection in
      let rows = try connection.query(
        "SELECT node, incarnation FROM shard WHERE number = $1",
        parameters: [.integer(Int64(ShardNumber(of: path).rawValue))])
      return try ShardTable.members(connection).first {
        $0.isAlive && $0.node.name == rows[0, 0] && $0.incarnation == rows.integer(0, 1)
      }
    }
  }

  /// Lets a node give all its realms to the others and take none, until it is started again or drains no more.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure`` when there is no such node.
  public func setDraining(_ isDraining: Bool, node name: String) throws(ServerError) {
    try perform { connection in
      let changed = try connection.query(
        "UPDATE node SET draining = $2 WHERE name = $1", parameters: [.text(name), .text(isDraining ? "t" : "f")]
      ).affected
      guard changed == 1 else {
        throw ServerError(.clusterFailure, "there is no node '\(name)'", remedy: "'cluster status' lists the nodes")
      }
    }
  }

  private func perform<Value>(_ body: (PostgresConnection) throws -> Value) throws(ServerError) -> Value {
    do { return try database.perform(body) } catch { throw ClusterDatabase.failure(error) }
  }
}
