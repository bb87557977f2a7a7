extension ClusterSchema {
  /// The accounts that wait for their confirmation, by the subjects of their links, which begin with a digest of the name.
  static let pendingAccounts = [
    """
    CREATE TABLE pending_account(
      registration text COLLATE "C" PRIMARY KEY, name text NOT NULL, password_hash text NOT NULL, created bigint NOT NULL)
    """
  ]
}
