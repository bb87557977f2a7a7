import AccessTokens
import Concurrency
public import Cryptography
import Foundation
import Permissions
public import Telemetry
public import Transport

/// A data directory on this machine, and the server environment that stands on it.
/// - SeeAlso: `DataLayout`, the files of a data directory.
public struct EmbeddedServer: Sendable {
  /// The path of the data directory.
  public let path: String
  let random = RandomSource(SecureRandom())
  /// The storage of a cluster; nil for a server that is alone.
  let shared: (any SharedStorage)?
  var layout: DataLayout { DataLayout(path) }

  /// The data directory at `path`. Accesses no file.
  ///
  /// - Parameter shared: the storage of a cluster, of which this server is one; nil for a server that is alone.
  public init(path: String, shared: (any SharedStorage)? = nil) {
    self.path = path
    self.shared = shared
  }

  /// Locks the directory for one server and opens it.
  ///
  /// - Parameters:
  ///   - network: the network of the system.
  ///   - threads: the most threads for disk and passwords.
  ///   - foreignKeys: keys of other systems whose tokens log users in.
  ///   - serverVersion: the version that backups name.
  ///   - retention: how long the history of realms is kept.
  /// - Throws: ``ServerError``: locked by another server, not writable, damaged, open to other users for good.
  public func open(
    network: any Network, threads: Int, foreignKeys: [VerificationKey] = [], logger: Logger,
    metrics: MetricsRegistry = MetricsRegistry(), retention: RetentionPolicy = RetentionPolicy(),
    serverVersion: String = "embedded"
  ) throws(ServerError) -> ServerEnvironment {
    ProcessMemory.returnLargeBlocks()
    try PrivateFolder.make(path)
    let lock = try DataDirectoryLock(path: layout.lock, directory: path)
    do throws(ServerError) {
      try PrivateModes.enforce(layout)
      let parts = try shared?.join(keys: layout.keys, logger: logger, metrics: metrics)
      let keys = try ServerKeys.load(from: layout.keys, random: random)
      try writeAdministratorToken(keys.issuer, clock: network.scheduler)
      try PrivateFolder.make(layout.realms)
      let directory: any Directory
      if let parts { directory = parts.directory } else { directory = try openDirectory() }
      // A copy that a power failure takes is made again from the record.
      let stores = EmbeddedHistories(
        .folder(layout.realms), random: random, isDurable: parts == nil, retention: retention, record: parts?.record)
      try makeDefaultRealm(directory, stores, clock: network.scheduler)
      var environment = ServerEnvironment(
        network: network, executor: ThreadPoolExecutor(threads: threads), directory: directory, stores: stores,
        issuer: keys.issuer,
        foreignKeys: foreignKeys, random: random, logger: logger, metrics: metrics,
        release: { [running = layout.running] in
          try? FileManager.default.removeItem(atPath: running)
          parts?.leave()
          lock.release()
        })
      environment.placement = parts?.placement
      environment.accountLimits = parts?.accountLimits
      environment.pendingAccounts = parts?.pendingAccounts
      environment.files = files(serverVersion: serverVersion, stores: parts == nil ? nil : stores)
      environment.audit = try AuditLog(folder: layout.audit, clock: network.scheduler)
      let clock = network.scheduler
      environment.readIssuer = { () throws(ServerError) in
        try parts?.refreshKeys()
        let issuer = try ServerKeys.load(from: layout.keys, random: random).issuer
        try writeAdministratorToken(issuer, clock: clock)
        return issuer
      }
      environment.quarantine = FolderQuarantine(layout.quarantine)
      environment.writeProbe = WriteProbe(folder: path)
      if parts == nil {
        environment.vacuum = { isCancelled throws(ServerError) in try self.vacuum(isCancelled: isCancelled) }
      }
      return environment
    } catch {
      lock.release()
      throw error
    }
  }

  /// Makes the realm `/default` of a new data directory. One that was deleted is not made again.
  private func makeDefaultRealm(
    _ directory: any Directory, _ stores: EmbeddedHistories, clock: any WallClock
  ) throws(ServerError) {
    let maker = Accounts.administratorTokenUser
    guard try directory.recordRealm(.ofApps, createdBy: maker, at: clock.wallTime) else { return }
    do {
      try stores.open(.ofApps, isNew: true).close()
    } catch {
      throw ServerError(
        .realmFailure, "the realm \(RealmPath.ofApps) cannot be made", remedy: "check the data directory", cause: error)
    }
  }

  /// Opens the directory of users alone: for tools, also while a server runs.
  ///
  /// - Parameter mustExist: whether a folder that is no data directory is refused, instead of made one.
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``, ``ServerError/Code/directoryFailure``
  public func openDirectory(mustExist: Bool = false) throws(ServerError) -> any Directory {
    if mustExist { try checkUsed() }
    try PrivateFolder.make(path)
    try PrivateModes.enforce(layout)
    if let shared { return try shared.openDirectory(keys: layout.keys) }
    try layout.checkNotMoved()
    PrivateModes.makeFile(layout.directory)
    return try SQLiteDirectory(path: layout.directory)
  }

  /// Writes the token of the operator, unless there is one that the present key signed.
  func writeAdministratorToken(_ issuer: TokenIssuer, clock: any WallClock) throws(ServerError) {
    struct Content: Codable {
      var ADMIN_TOKEN: String
    }
    let file = layout.keys + "/admin.json"
    let present = TokenVerifier(keys: [issuer.key.verificationKey])
    if let data = FileManager.default.contents(atPath: file),
      let content = try? JSONDecoder().decode(Content.self, from: data),
      (try? present.verify(content.ADMIN_TOKEN, kind: .access, at: clock.wallTime)) != nil
    {
      return
    }
    let now = clock.wallTime
    let claims = TokenClaims(
      kind: .access, user: Accounts.administratorTokenUser, app: "", issuedAt: now,
      expiresAt: now + .seconds(3_650 * 86_400), isAdministrator: true)
    guard let token = try? issuer.sign(claims) else {
      throw ServerError(.badKey, "the administrator's token cannot be signed", remedy: "check keys/token.key")
    }
    try SecretFile.write("{\"ADMIN_TOKEN\": \"\(token)\"}\n", to: file)
  }
}
