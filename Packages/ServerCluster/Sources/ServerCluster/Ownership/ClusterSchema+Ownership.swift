extension ClusterSchema {
  /// Nodes with their leases, by the database's clock, and the owner of each shard.
  ///
  /// The epoch of a shard grows with each owner, and each commit of a realm checks it: what an earlier owner still writes is refused.
  /// A shard belongs to nobody when its node has another incarnation, or the lease of the node has ended.
  static let ownership = [
    """
    CREATE TABLE node(
      name text PRIMARY KEY, incarnation bigint NOT NULL, address text NOT NULL, release text NOT NULL,
      expires timestamptz NOT NULL, draining boolean NOT NULL DEFAULT false)
    """,
    """
    CREATE TABLE shard(
      number integer PRIMARY KEY, node text NOT NULL, incarnation bigint NOT NULL, epoch bigint NOT NULL, wanted text)
    """,
    """
    CREATE TABLE shard_history(
      number integer NOT NULL, epoch bigint NOT NULL, node text NOT NULL, incarnation bigint NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (number, epoch))
    """,
  ]

  /// The costs of realms, in thousandths of a processor: all of a node, null for one of an earlier release, and those of a shard when it was
  /// given away last.
  static let loads = [
    // In the order in which nodes lock them.
    "ALTER TABLE shard ADD COLUMN load bigint NOT NULL DEFAULT 0",
    "ALTER TABLE node ADD COLUMN load bigint",
  ]
}
