import Concurrency
public import Permissions
public import RecordStore
import Telemetry

/// The parts of the server that the administration API acts on.
struct AdminServices: Sendable {
  let accounts: Accounts
  let sharing: Sharing
  let context: LoopContext
  let hub: SyncHub
  let registry: MetricsRegistry
  let logger: Logger
  let configuration: ServerConfiguration
  let startedAt: WallTime
  let tasks: AdminTasks
  let live: LiveStreams
  /// The entries written last; nil where none are kept.
  let recentLogs: RecentLogs?
  let files: ServerFiles?
  let audit: AuditTrail?
  /// The files of imports and exports; nil where there is no data directory.
  var exchange: ExchangeFiles?
  /// The requests of users who are no administrators.
  let requests = UserRequests(limit: 16)
  let positions = PositionCache()
  let pasts = PastCache()
  let webhooks: (any WebhookAdministration)?
  let adapters = AdapterLeases()
  let adapterStreams = AdapterStreams()
  let adapterCallers = AdapterCallers()
  let adapterWatches = AdapterWatches()

  var directory: any Directory { accounts.directory }

  /// The files, where the server has some.
  ///
  /// - Throws: ``APIError`` with 501
  func requiredFiles() throws(APIError) -> ServerFiles {
    guard let files else { throw .notServed("this server has no data directory of its own") }
    return files
  }
}

/// The operations on the files of a server's data directory, for administration. All of them block.
public struct ServerFiles: Sendable {
  /// Reports bytes that are done, and all.
  public typealias Progress = (_ done: Int, _ known: Int) -> Void

  /// The size, clients and last change of a realm.
  public var overview: @Sendable (RealmPath) throws(ServerError) -> RealmOverview
  /// The newest version of a realm; an empty one where the file was never made.
  public var contents: @Sendable (RealmPath) throws(ServerError) -> RealmContents
  /// The consumers of a realm with the history before each, by name; none where the file was never made.
  public var consumers: @Sendable (RealmPath) throws(ServerError) -> [FeedCursorStatus]
  /// Whether all of the server is in the data directory, so that there is a use in the next three; otherwise they throw.
  public var isComplete: Bool
  /// Copies the data directory into a folder of this name among the backups.
  public var backUp: @Sendable (_ name: String, _ progress: Progress) throws(ServerError) -> BackupManifest
  /// Reads and checks every file.
  public var verify: @Sendable (_ progress: Progress) throws(ServerError) -> VerifyReport
  /// Gives unused space back, until it is done or the last argument answers true.
  public var vacuum: @Sendable (_ progress: Progress, _ isCancelled: () -> Bool) throws(ServerError) -> VacuumReport
  /// The free bytes of the disk; nil where they are not known.
  public var freeDiskBytes: @Sendable () -> Int?
  /// The folder of uploads that could not be integrated.
  public var quarantine: String
  /// The folder of files of imports and exports.
  public var exchange: String
}
