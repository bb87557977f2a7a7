extension ClusterSchema {
  /// The record of realms. A realm begins with version 1, which is an empty file; its commits follow without a gap, each with a
  /// digest of itself and all before it. A checkpoint is the file at a version; the commits up to it are then removed.
  static let histories = [
    """
    CREATE TABLE realm(
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, path text COLLATE "C" NOT NULL UNIQUE,
      shard integer NOT NULL, version bigint NOT NULL DEFAULT 1, digest bytea NOT NULL DEFAULT '', checkpoint bigint NOT NULL DEFAULT 1,
      checkpoint_digest bytea NOT NULL DEFAULT '', checkpoint_bytes bigint NOT NULL DEFAULT 0)
    """,
    "CREATE INDEX realm_by_shard ON realm(shard)",
    """
    CREATE TABLE realm_commit(
      realm bigint NOT NULL REFERENCES realm ON DELETE CASCADE, version bigint NOT NULL, epoch bigint NOT NULL,
      digest bytea NOT NULL, changes bytea NOT NULL, PRIMARY KEY (realm, version))
    """,
    """
    CREATE TABLE realm_checkpoint(
      realm bigint NOT NULL REFERENCES realm ON DELETE CASCADE, version bigint NOT NULL, part integer NOT NULL,
      content bytea NOT NULL, PRIMARY KEY (realm, version, part))
    """,
  ]
}
