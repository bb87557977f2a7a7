extension ClusterSchema {
  /// The keys that all nodes have, by the names of their files in the folder `keys`; wrapped with the cluster's secret when it has one.
  static let keys = [
    """
    CREATE TABLE cluster_key(
      name text COLLATE "C" PRIMARY KEY, content bytea NOT NULL, wrapped boolean NOT NULL)
    """
  ]
}
