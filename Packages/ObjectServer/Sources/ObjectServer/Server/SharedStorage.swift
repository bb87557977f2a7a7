public import Telemetry

/// Storage that the servers of a cluster share, in the place of a data directory's own files: the directory of users and the record of
/// realms, and the keys, which are the same at each server. A data directory has copies of the keys, and of realms.
public protocol SharedStorage: Sendable {
  /// Opens the directory of users alone: for tools.
  ///
  /// - Parameter folder: the folder for copies of the keys.
  /// - Throws: ``ServerError/Code/clusterFailure``, ``ServerError/Code/directoryFailure``, ``ServerError/Code/badKey``
  func openDirectory(keys folder: String) throws(ServerError) -> any Directory
  /// Enters a server that begins to serve.
  ///
  /// - Throws: as ``openDirectory(keys:)``.
  func join(keys folder: String, logger: Logger, metrics: MetricsRegistry) throws(ServerError) -> SharedParts
  /// Changes the keys of all servers, which hear of it by `Directory.tokenKeysChanged()`, and makes the folder a copy of them.
  ///
  /// - Throws: as ``openDirectory(keys:)``.
  func changeKeys(in folder: String, _ change: (inout KeyFiles) -> Void) throws(ServerError)
}

/// The parts of a server that stand on shared storage.
public struct SharedParts: Sendable {
  /// The directory of users, realms and grants.
  public var directory: any Directory
  /// The record that the files of realms are made from.
  public var record: any RealmRecord
  /// Where realms are.
  public var placement: any RealmPlacement
  /// Counts what clients do to accounts.
  public var accountLimits: any AccountLimits
  /// The accounts that wait for their confirmation.
  public var pendingAccounts: any PendingAccounts
  /// Makes the folder of the keys a copy of those that all servers have now.
  public var refreshKeys: @Sendable () throws(ServerError) -> Void
  /// Leaves the cluster, when the server has stopped.
  public var leave: @Sendable () -> Void

  /// All parts.
  public init(
    directory: any Directory, record: any RealmRecord, placement: any RealmPlacement,
    accountLimits: any AccountLimits, pendingAccounts: any PendingAccounts,
    refreshKeys: @escaping @Sendable () throws(ServerError) -> Void,
    leave: @escaping @Sendable () -> Void
  ) {
    self.directory = directory
    self.record = record
    self.placement = placement
    self.accountLimits = accountLimits
    self.pendingAccounts = pendingAccounts
    self.refreshKeys = refreshKeys
    self.leave = leave
  }
}

extension EmbeddedServer {
  /// Refuses a folder that no server uses; that of a server with shared storage needs to have nothing yet.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``
  func checkUsed() throws(ServerError) { if shared == nil { try layout.checkUsed() } }

  /// Refuses work on the files of a server that shares its storage: they are copies.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  func checkIsAlone(_ remedy: String) throws(ServerError) {
    guard shared != nil else { return }
    throw ServerError(.clusterFailure, "the realms of a cluster are in its database, not in \(path)", remedy: remedy)
  }
}
