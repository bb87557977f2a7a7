import AdapterKit
import ChangesetOT
import CommitFeed
import DataModel
import Foundation
import ObjectServer
import Permissions
import PostgresClient
import RecordStore
import Telemetry

/// One life of the connector's connections: from connecting to the first failure. One task runs it.
final class ConnectorEngine: @unchecked Sendable {
  let server: ObjectServer
  var configuration: ConnectorConfiguration
  let logger: Logger
  let metrics: MetricsRegistry
  let progress: (_ change: (inout PostgresConnector.Progress) -> Void) -> Void
  let isStopping: () -> Bool
  let wake: WakeSignal
  let pattern: NSRegularExpression?
  var tables: [ClassTable] = []
  private var databaseValue: Database?
  var stream: ReplicationStream?
  var assembler: TransactionAssembler
  /// The name of the slot's life.
  private var generation = ""
  /// Called once the slot is there.
  var whenPrepared: () -> Void = {}
  /// How far the slot is dealt with.
  var slot = SlotProgress()
  /// The tokens of the barriers that are waited for and that the slot has not told of. One wait may be within another.
  var barriers: Set<String> = []
  /// The version of each realm that the database has, as the slot has shown.
  var bases: [String: ServerVersion] = [:]
  /// The positions of realms as they are stored in the database.
  var positions: [String: SaltedServerVersion] = [:]
  /// The changes of others to each realm since the version that the database has.
  var others: [String: OthersChanges] = [:]
  /// The versions of realms that were written to the database last, whether or not the slot has shown it.
  var written: [String: ServerVersion] = [:]
  /// The writes that the slot has not shown.
  var underWay = WritesUnderWay()
  /// The values that rows were given each time they were written again, until the slot shows what the database made of them.
  var rewritten: [ObjectReference: [[String: StateDump.Item]]] = [:]
  /// Rows that differ from their objects, which wait while the tables are locked.
  var deferredRepairs: [String: [ObjectReference: Set<String>?]] = [:]
  /// Whether the tables are locked by a load.
  var isExclusive = false
  /// The rows of which something did not fit: `class key`.
  var deadRows: Set<String> = []
  /// The transactions that the slot has told of and that reads may not see yet.
  var unseen: [UInt32] = []
  /// The database's transactions as they were looked at last.
  var snapshot: DatabaseSnapshot?
  /// When the slot was looked at last.
  var lastCheck = ContinuousClock.now - .seconds(3_600)
  /// Tells of commits of the realms.
  var watch: RealmWatch?
  /// The realms that are open.
  var holds: [String: RealmHold] = [:]
  /// The realms that may have commits that are not carried over.
  var dirty: Set<String> = []

  init(
    _ server: ObjectServer, _ configuration: ConnectorConfiguration, logger: Logger, metrics: MetricsRegistry,
    wake: WakeSignal, progress: @escaping (_ change: (inout PostgresConnector.Progress) -> Void) -> Void,
    isStopping: @escaping () -> Bool
  ) throws {
    self.server = server
    self.configuration = configuration
    self.logger = logger
    self.metrics = metrics
    self.wake = wake
    self.progress = progress
    self.isStopping = isStopping
    pattern =
      try configuration.realmPattern.isEmpty
      ? nil : NSRegularExpression(pattern: configuration.realmPattern)
    assembler = TransactionAssembler(prefix: Self.prefix(configuration), namespace: configuration.namespace)
  }

  static func prefix(_ configuration: ConnectorConfiguration) -> String { "openrealm " + configuration.name }

  /// The name of the connector towards realms.
  var adapterName: String { "postgres \(configuration.name) \(generation)" }

  /// The connector as an adapter of a realm, on a thread of the server. A realm that it does not know is loaded before it is followed.
  static func adapter(_ name: String, _ path: String, _ history: ServerHistory) throws -> RealmAdapter {
    try RealmAdapter(name, of: path, history, from: .newest)
  }

  var database: Database {
    get throws {
      guard let databaseValue else { throw PostgresError(message: "there is no connection", isConnectionLost: true) }
      return databaseValue
    }
  }

  var connection: PostgresConnection { get throws { try database.connection } }

  /// Connects, loads what was never loaded, and carries changes over until stopped.
  func run() async throws {
    try await connect()
    defer { watch?.cancel() }
    progress { $0.isLive = true }
    logger.info("the connector is live", ["connector": .string(configuration.name)])
    while !isStopping() {
      wake.clear()
      let hasPulled = try await pull()
      let hasPushed = try await push()
      try watchSlot()
      guard !hasPulled, !hasPushed else { continue }
      holds = [:]
      stream?.wait(or: wake.descriptor, milliseconds: 200)
    }
  }

  private func connect() async throws {
    try Database.create(configuration)
    let database = try Database(configuration)
    if configuration.logsStatements {
      let logger = logger
      database.connection.willSend = { logger.debug("statement", ["sql": .string($0)]) }
    }
    databaseValue = database
    try database.prepare()
    try planTables()
    let found = try database.prepareReplication(tables)
    generation = try database.generation()
    whenPrepared()
    if found != .known { logger.info("the replication slot is new", ["slot": .string(configuration.slot)]) }
    try readState()
    try await beginWatching()
    if configuration.appliesSchemaChanges {
      for path in dirty.sorted() {
        guard let hold = try await hold(path) else { continue }
        try extend(by: try await hold.perform { try $0.file.contents().schema })
      }
    }
    if configuration.initializesRealms { try await loadRealms() }
    stream = try ReplicationStream(
      Database.parameters(configuration), slot: configuration.slot, publication: configuration.publication,
      from: slot.done)
    try await loadTables(fromNew: dirty.sorted().filter { positions[$0] == nil })
  }

  /// Decides on the tables, and makes what is missing.
  ///
  /// - Throws: ``ConfigurationError``; `PostgresError`
  func planTables() throws {
    let database = try database
    let found = try database.columns()
    tables = try TablePlan(configuration: configuration, found: found).tables()
    if configuration.createsTables {
      try database.create(tables, found: found)
      tables = try TablePlan(configuration: configuration, found: database.columns()).tables()
      return
    }
    for table in tables {
      let missing =
        table.rowNames.filter { found[table.name]?[$0] == nil }.map { "\(table.name).\($0)" }
        + table.subTables.flatMap { sub in
          sub.rowNames.filter { found[sub.name]?[$0] == nil }.map { "\(sub.name).\($0)" }
        }
      guard missing.isEmpty else {
        throw ConfigurationError(
          "the database has no \(missing.joined(separator: ", ")), and create-schema is false; make them, or take what needs "
            + "them out of the settings")
      }
    }
  }

  private func readState() throws {
    let side = try database.side
    let rows = try side.query(
      "SELECT realm, version, salt, slot_position FROM openrealm.progress WHERE connector = $1", [configuration.name])
    for row in 0..<rows.count {
      if let done = rows[row, 3].flatMap({ LogPosition($0) }) { slot.reach(done) }
      guard let path = rows[row, 0], let version = rows[row, 1].flatMap({ UInt64($0) }),
        let salt = rows[row, 2].flatMap({ Int64($0) })
      else { continue }
      positions[path] = SaltedServerVersion(version: ServerVersion(version), salt: salt)
      written[path] = ServerVersion(version)
    }
    let dead = try side.query(
      "SELECT DISTINCT class, key FROM openrealm.dead_letters WHERE connector = $1 AND direction = 'to-realm'",
      [configuration.name])
    for row in 0..<dead.count { deadRows.insert("\(dead[row, 0] ?? "") \(dead[row, 1] ?? "")") }
  }
}

/// Carries values of one task to a thread of the server, where nobody else uses them.
struct SendableBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
