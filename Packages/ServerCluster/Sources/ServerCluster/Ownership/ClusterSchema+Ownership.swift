extension ClusterSchema {
  /// Nodes with their leases, by the database's clock, and the owner of each shard. The epoch of a shard grows with each owner: what
  /// an earlier one still writes is refused.
  static let ownership = [
    """
    CREATE TABLE node(
      name text PRIMARY KEY, incarnation bigint NOT NULL, address text NOT NULL, release text NOT NULL,
      expires timestamptz NOT NULL, draining boolean NOT NULL DEFAULT false, realms bigint NOT NULL DEFAULT 0)
    """,
    """
    CREATE TABLE shard(
      number integer PRIMARY KEY, node text NOT NULL, incarnation bigint NOT NULL, epoch bigint NOT NULL)
    """,
  ]
}
