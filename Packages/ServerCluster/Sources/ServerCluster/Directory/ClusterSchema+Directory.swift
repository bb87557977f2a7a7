extension ClusterSchema {
  /// The tables of the directory, as those of a SQLite directory, and the fingerprints of the keys that all nodes have. Texts are
  /// compared and ordered by their bytes.
  static let directory = [
    "CREATE DOMAIN byte_text AS text COLLATE \"C\"",
    """
    CREATE TABLE users(
      id byte_text NOT NULL, administrator bigint NOT NULL, disabled bigint NOT NULL, created bigint NOT NULL,
      seal bytea, PRIMARY KEY (id))
    """,
    """
    CREATE TABLE identities(
      provider byte_text NOT NULL, name byte_text NOT NULL, "user" byte_text NOT NULL, password byte_text,
      seal bytea, PRIMARY KEY (provider, name))
    """,
    "CREATE INDEX identities_by_user ON identities(\"user\")",
    """
    CREATE TABLE logins(
      id byte_text NOT NULL, "user" byte_text NOT NULL, app byte_text NOT NULL, key byte_text,
      created bigint NOT NULL, expires bigint NOT NULL, digest byte_text, previous byte_text, nonce byte_text,
      rotated bigint, seal bytea, PRIMARY KEY (id))
    """,
    "CREATE INDEX logins_by_user ON logins(\"user\")",
    "CREATE INDEX logins_by_key ON logins(key) WHERE key IS NOT NULL",
    """
    CREATE TABLE realms(
      path byte_text NOT NULL, folder byte_text, creator byte_text NOT NULL, created bigint NOT NULL, seal bytea,
      PRIMARY KEY (path))
    """,
    "CREATE INDEX realms_by_folder ON realms(folder)",
    """
    CREATE TABLE grants(
      path byte_text NOT NULL, grantee byte_text NOT NULL, level bigint NOT NULL, updated bigint NOT NULL,
      seal bytea, PRIMARY KEY (path, grantee))
    """,
    "CREATE INDEX grants_by_grantee ON grants(grantee)",
    """
    CREATE TABLE offers(
      digest byte_text NOT NULL, "user" byte_text NOT NULL, path byte_text NOT NULL, level bigint NOT NULL,
      created bigint NOT NULL, expires bigint, token bytea NOT NULL, seal bytea, PRIMARY KEY (digest))
    """,
    "CREATE INDEX offers_by_user ON offers(\"user\")",
    """
    CREATE TABLE api_keys(
      id byte_text NOT NULL, "user" byte_text NOT NULL, name byte_text NOT NULL, digest byte_text NOT NULL UNIQUE,
      disabled bigint NOT NULL, created bigint NOT NULL, seal bytea, PRIMARY KEY (id))
    """,
    "CREATE INDEX api_keys_by_user ON api_keys(\"user\")",
    """
    CREATE TABLE renamed(
      path byte_text NOT NULL, target byte_text NOT NULL, seal bytea, PRIMARY KEY (path))
    """,
    """
    CREATE TABLE used_paths(
      path byte_text NOT NULL, seal bytea, PRIMARY KEY (path))
    """,
    """
    CREATE TABLE withdrawals(
      path byte_text NOT NULL, grantee byte_text NOT NULL, at bigint NOT NULL, seal bytea,
      PRIMARY KEY (path, grantee))
    """,
    """
    CREATE TABLE changes(
      number bigint NOT NULL, kind byte_text NOT NULL, subject byte_text NOT NULL, seal bytea,
      PRIMARY KEY (number))
    """,
    """
    CREATE TABLE removed(
      id byte_text NOT NULL, provider byte_text NOT NULL, name byte_text NOT NULL, seal bytea,
      PRIMARY KEY (id, provider, name))
    """,
    """
    CREATE TABLE seals(
      name byte_text NOT NULL, count bigint NOT NULL, sum bytea NOT NULL, seal bytea, PRIMARY KEY (name))
    """,
    "CREATE TABLE directory_key(name text PRIMARY KEY, fingerprint text NOT NULL)",
  ]
}
