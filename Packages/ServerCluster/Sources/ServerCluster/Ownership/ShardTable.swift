import ObjectServer
import PostgresClient

/// A row of the table of shards, as a node read it.
struct ShardOwner: Hashable, Sendable {
  var node: String
  var incarnation: Int64
  var epoch: Int64
  /// The node that an operator wants to have it.
  var wanted: String?
  /// The load of its realms when it was given away last, in thousandths of a processor.
  var load: Int64
}

/// A row of the table of nodes, as a node read it.
public struct ClusterMember: Hashable, Sendable {
  /// The node's name and address.
  public var node: ServerNode
  /// Grows with each start of the node.
  public var incarnation: Int64
  /// The release that it runs.
  public var release: String
  /// Whether its lease has not ended.
  public var isAlive: Bool
  /// Whether it gives its realms away and takes none.
  public var isDraining: Bool
  /// The load of its realms, in thousandths of a processor; nil for a node of a release that does not say.
  public var load: Int64?
}

/// The statements on nodes and shards. Each is one transaction of its own.
struct ShardTable: Sendable {
  let database: ClusterDatabase
  let node: ClusterNode

  private var lease: PostgresParameter { .integer(node.leaseMilliseconds) }
  private static func end(_ parameter: Int) -> String {
    "clock_timestamp() + $\(parameter)::bigint * interval '1 millisecond'"
  }

  /// Enters this node, in the place of an earlier start of it.
  ///
  /// - Returns: its incarnation.
  func register() throws -> Int64 {
    try database.perform { connection in
      let rows = try connection.query(
        """
        INSERT INTO node(name, incarnation, address, expires, release, load) VALUES ($1, 1, $2, \(Self.end(4)), $3, 0)
        ON CONFLICT (name) DO UPDATE SET incarnation = node.incarnation + 1, address = excluded.address,
          expires = excluded.expires, release = excluded.release, draining = false, load = 0
        RETURNING incarnation
        """,
        parameters: [.text(node.name), .text(node.address), .text(node.release), lease])
      guard let incarnation = rows.integer(0, 0) else { throw PostgresError(message: "the node was not entered") }
      return incarnation
    }
  }

  /// Renews the lease.
  ///
  /// - Parameter load: what the realms of this node cost, in thousandths of a processor.
  /// - Returns: whether the node drains; nil when another server was started under its name.
  func renew(_ incarnation: Int64, load: Int64) throws -> Bool? {
    try database.perform { connection in
      try connection.query(
        "UPDATE node SET expires = \(Self.end(3)), load = $4 WHERE name = $1 AND incarnation = $2 RETURNING draining",
        parameters: [.text(node.name), .integer(incarnation), lease, .integer(load)])[0, 0].map { $0 == "t" }
    }
  }

  /// Ends the lease: the realms of this node are free at once.
  func leave(_ incarnation: Int64) throws {
    _ = try database.perform {
      try $0.query(
        "UPDATE node SET expires = '-infinity' WHERE name = $1 AND incarnation = $2",
        parameters: [.text(node.name), .integer(incarnation)])
    }
  }

  /// Takes a shard, if nobody has it. One that was given to this node keeps the load that it came with.
  ///
  /// - Returns: its owner afterwards: this node or another.
  func take(_ shard: ShardNumber, _ incarnation: Int64) throws -> ShardOwner? {
    try database.perform { connection in
      let parameters: [PostgresParameter] = [
        .integer(Int64(shard.rawValue)), .text(node.name), .integer(incarnation),
      ]
      try connection.query(
        """
        WITH taken AS (
          INSERT INTO shard(number, node, incarnation, epoch)
          SELECT $1::integer, $2::text, $3::bigint, 1 WHERE EXISTS (
            SELECT 1 FROM node WHERE name = $2 AND incarnation = $3 AND expires > clock_timestamp() AND NOT draining)
          ON CONFLICT (number) DO UPDATE
          SET node = excluded.node, incarnation = excluded.incarnation, epoch = shard.epoch + 1, wanted = NULL, load = 0
          WHERE NOT EXISTS (
            SELECT 1 FROM node WHERE name = shard.node AND incarnation = shard.incarnation
            AND expires > clock_timestamp())
          RETURNING number, epoch, shard.node, shard.incarnation)
        INSERT INTO shard_history(number, epoch, node, incarnation) SELECT * FROM taken
        """,
        parameters: parameters)
      let rows = try connection.query(
        "SELECT node, incarnation, epoch, wanted, load FROM shard WHERE number = $1", parameters: [parameters[0]])
      return rows.count == 0 ? nil : Self.owner(rows, 0, from: 0)
    }
  }

  /// Gives a shard of this node to another one, or to nobody, with what its realms cost.
  ///
  /// - Returns: false when it was not this node's any more.
  func give(
    _ shard: ShardNumber, epoch: Int64, _ incarnation: Int64, load: Int64, to target: ClusterMember?
  ) throws -> Bool {
    try database.perform { connection in
      try connection.query(
        """
        WITH given AS (
          UPDATE shard SET node = $5, incarnation = $6, epoch = epoch + 1, wanted = NULL, load = $7
          WHERE number = $1 AND node = $2 AND incarnation = $3 AND epoch = $4
          RETURNING number, epoch, node, incarnation)
        INSERT INTO shard_history(number, epoch, node, incarnation) SELECT * FROM given
        """,
        parameters: [
          .integer(Int64(shard.rawValue)), .text(node.name), .integer(incarnation), .integer(epoch),
          .text(target?.node.name ?? ""), .integer(target?.incarnation ?? 0), .integer(load),
        ]
      ).affected == 1
    }
  }

  /// All shards that somebody had, and all nodes. One snapshot.
  func read() throws -> (shards: [ShardNumber: ShardOwner], members: [ClusterMember]) {
    try database.perform { connection in
      try connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
      do {
        let rows = try connection.query("SELECT number, node, incarnation, epoch, wanted, load FROM shard")
        var shards: [ShardNumber: ShardOwner] = [:]
        for row in 0..<rows.count {
          guard let number = rows.integer(row, 0), let shard = ShardNumber(Int(clamping: number)) else { continue }
          shards[shard] = Self.owner(rows, row, from: 1)
        }
        let members = try Self.members(connection)
        try connection.query("COMMIT")
        return (shards, members)
      } catch {
        if connection.isAlive { _ = try? connection.query("ROLLBACK") }
        throw error
      }
    }
  }

  static func members(_ connection: PostgresConnection) throws -> [ClusterMember] {
    let rows = try connection.query(
      """
      SELECT name, address, incarnation, release, expires > clock_timestamp(), draining, load FROM node ORDER BY name
      """)
    return (0..<rows.count).map { row in
      ClusterMember(
        node: ServerNode(name: rows[row, 0] ?? "", address: rows[row, 1] ?? ""), incarnation: rows.integer(row, 2) ?? 0,
        release: rows[row, 3] ?? "", isAlive: rows[row, 4] == "t",
        isDraining: rows[row, 5] == "t", load: rows.integer(row, 6).map(load))
    }
  }

  private static func owner(_ rows: PostgresResult, _ row: Int, from column: Int) -> ShardOwner {
    ShardOwner(
      node: rows[row, column] ?? "", incarnation: rows.integer(row, column + 1) ?? 0,
      epoch: rows.integer(row, column + 2) ?? 0, wanted: rows[row, column + 3],
      load: load(rows.integer(row, column + 4) ?? 0))
  }

  /// A load as a row has it, within what a machine may have.
  private static func load(_ stored: Int64) -> Int64 { min(max(stored, 0), 1_000_000_000) }
}
