public import Foundation
import Synchronization
import RecordStore

extension Realm {
  /// Location, classes and migration of a realm, with which it is opened.
  ///
  ///     var configuration = Realm.Configuration(inMemoryIdentifier: "preview")
  ///     configuration.schemaVersion = 2
  ///     let realm = try Realm(configuration: configuration)
  public struct Configuration: Sendable, Equatable, CustomStringConvertible {
    /// The file; nil for a realm in memory, and for a replicated realm whose file its replication names. Setting it
    /// clears ``inMemoryIdentifier``.
    public var fileURL: URL? {
      didSet {
        path = fileURL?.path
        if fileURL != nil { inMemoryIdentifier = nil }
      }
    }
    /// The path of ``fileURL``.
    private var path: String?
    /// The name of a realm in memory, which lives as long as any realm of that name in the process is open. Setting it
    /// clears ``fileURL``. A replicated realm is then in memory, too: apart from those of other users and servers, and from
    /// local ones of that name; it is open as long as its session.
    public var inMemoryIdentifier: String? {
      didSet { if inMemoryIdentifier != nil, fileURL != nil { fileURL = nil } }
    }
    /// The replication of the realm; set by `syncConfiguration` of the sync client.
    public var replication: (any ReplicationConfiguration)?
    /// The 64 bytes that encrypt the file; nil for a file in clear.
    public var encryptionKey: Data?
    /// Whether write transactions are refused.
    public var readOnly: Bool
    /// The version of the application's model classes; a higher version than the file's runs the migration.
    public var schemaVersion: UInt64
    /// Migrates data of an older schema version.
    public var migrationBlock: MigrationBlock?
    /// Whether a realm that needs a migration is emptied instead.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Decides at the first opening in a process, by the file's total and used bytes, whether the file is compacted.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// The classes of the realm; nil for all classes of the program.
    public var objectTypes: [ObjectBase.Type]?
    /// The number of kept versions above which a write stops the program; nil for no limit. A limit finds the frozen
    /// object or idle realm that makes a file grow.
    public var maximumNumberOfActiveVersions: UInt?
    /// A realm file that is copied to the realm's location when there is no file.
    public var seedFilePath: URL?
    /// Whether every write transaction adds its changeset to the history, as replication needs it.
    public var recordsChangesets: Bool
    /// Whether classes and properties are only added, whatever else the file has.
    var onlyAdds = false

    /// The configuration of `Realm()`. Any thread may read and set it.
    public static var defaultConfiguration: Configuration {
      get { current.withLock { $0 } }
      set { current.withLock { $0 = newValue } }
    }
    private static let current = Mutex(Configuration())

    /// A configuration of a file, or of a realm in memory when `inMemoryIdentifier` is given.
    public init(
      fileURL: URL? = Configuration.defaultFileURL, inMemoryIdentifier: String? = nil, encryptionKey: Data? = nil,
      readOnly: Bool = false, schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
      deleteRealmIfMigrationNeeded: Bool = false, shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
      objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil, recordsChangesets: Bool = false
    ) {
      self.fileURL = inMemoryIdentifier == nil ? fileURL : nil
      path = self.fileURL?.path
      self.inMemoryIdentifier = inMemoryIdentifier
      self.encryptionKey = encryptionKey
      self.readOnly = readOnly
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.objectTypes = objectTypes
      self.seedFilePath = seedFilePath
      self.recordsChangesets = recordsChangesets
    }

    /// `default.realm` in ``defaultDirectory``.
    public static var defaultFileURL: URL { defaultDirectory.appendingPathComponent("default.realm") }

    /// The folder of realms that name none: `$REALM_HOME`, or else `$XDG_DATA_HOME/PROGRAM`, or else
    /// `~/.local/share/PROGRAM`.
    public static var defaultDirectory: URL {
      let environment = ProcessInfo.processInfo.environment
      if let home = environment["REALM_HOME"], !home.isEmpty { return URL(fileURLWithPath: home, isDirectory: true) }
      let program = ProcessInfo.processInfo.processName
      let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory() + "/.local/share"
      return URL(fileURLWithPath: data, isDirectory: true).appendingPathComponent(program, isDirectory: true)
    }

    /// The location of the realm.
    ///
    /// - Precondition: the configuration names a file, a realm in memory, or a replication.
    var location: RealmLocation {
      if let replication {
        if let inMemoryIdentifier { return .inMemory(name: "\(inMemoryIdentifier) \(replication.identity)") }
        return path.map { .file(path: $0) } ?? replication.location
      }
      if let inMemoryIdentifier { return .inMemory(name: inMemoryIdentifier) }
      guard let path else {
        violated("A Realm.Configuration needs a fileURL, an inMemoryIdentifier or a sync configuration.")
      }
      return .file(path: path)
    }

    /// Whether both open the same realm in the same way: location, key, schema version, replication and read-only mode
    /// are equal.
    public static func == (left: Configuration, right: Configuration) -> Bool {
      left.fileURL == right.fileURL && left.inMemoryIdentifier == right.inMemoryIdentifier
        && left.encryptionKey == right.encryptionKey && left.readOnly == right.readOnly
        && left.schemaVersion == right.schemaVersion && left.replication?.identity == right.replication?.identity
    }

    /// Location, schema version and read-only mode. Contains no key.
    public var description: String {
      let location = fileURL?.path ?? inMemoryIdentifier.map { "memory:\($0)" } ?? replication?.identity ?? "nowhere"
      return "Realm.Configuration(\(location), schema version \(schemaVersion)\(readOnly ? ", read-only" : ""))"
    }
  }
}

/// Migrates data of an older schema version, within one transaction.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void
