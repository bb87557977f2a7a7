public import Foundation
import Synchronization

extension Realm {
  /// How a realm is opened: where it lives, which classes it holds, and what happens when they changed.
  ///
  ///     var configuration = Realm.Configuration(inMemoryIdentifier: "preview")
  ///     configuration.schemaVersion = 2
  ///     let realm = try Realm(configuration: configuration)
  public struct Configuration: Sendable, Equatable, CustomStringConvertible {
    /// The file; nil for realms in memory and for replicated ones without a place of their own.
    public var fileURL: URL? {
      didSet {
        path = fileURL?.path
        if fileURL != nil { inMemoryIdentifier = nil }
      }
    }
    /// That of the URL, worked out once.
    private var path: String?
    /// The name of a realm in memory, shared while anybody holds it.
    public var inMemoryIdentifier: String? {
      didSet {
        guard inMemoryIdentifier != nil else { return }
        if fileURL != nil { fileURL = nil }
        replication = nil
      }
    }
    /// What replicates the realm; set through `syncConfiguration` of the sync client.
    public var replication: (any ReplicationConfiguration)?
    /// 64 bytes that encrypt the file.
    public var encryptionKey: Data?
    /// Whether write transactions are refused.
    public var readOnly: Bool
    /// Counts the changes of the application's model classes.
    public var schemaVersion: UInt64
    /// What brings data of an older schema version up to date.
    public var migrationBlock: MigrationBlock?
    /// Whether a realm whose classes changed is emptied instead of migrated.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Asked at the first opening in a process, with total and used bytes, whether to compact the file.
    public var shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)?
    /// The classes of the realm; nil for every class that the program uses.
    public var objectTypes: [ObjectBase.Type]?
    /// How many versions may be kept for readers before writing stops the program; nil for any number. A bound finds
    /// the frozen object or idle realm that makes a file grow.
    public var maximumNumberOfActiveVersions: UInt?
    /// A file that is copied to the realm's place when there is none yet.
    public var seedFilePath: URL?
    /// Whether every write transaction leaves its changeset in the history, as replication needs it.
    public var recordsChangesets: Bool

    /// Used by `Realm()`.
    public static var defaultConfiguration: Configuration {
      get { current.withLock { $0 } }
      set { current.withLock { $0 = newValue } }
    }
    private static let current = Mutex(Configuration())

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

    /// `default.realm` in `$REALM_HOME`, or else in the program's folder of the user's data.
    public static var defaultFileURL: URL { defaultDirectory.appendingPathComponent("default.realm") }

    /// Where realms without a folder of their own go.
    public static var defaultDirectory: URL {
      let environment = ProcessInfo.processInfo.environment
      if let home = environment["REALM_HOME"], !home.isEmpty { return URL(fileURLWithPath: home, isDirectory: true) }
      let program = ProcessInfo.processInfo.processName
      let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? NSHomeDirectory() + "/.local/share"
      return URL(fileURLWithPath: data, isDirectory: true).appendingPathComponent(program, isDirectory: true)
    }

    /// Where the realm lives.
    /// - Precondition: the configuration names a place.
    var location: RealmLocation {
      if let replication { return path.map { .file(path: $0) } ?? replication.location }
      if let inMemoryIdentifier { return .inMemory(name: inMemoryIdentifier) }
      guard let path else {
        violated("A Realm.Configuration needs a fileURL, an inMemoryIdentifier or a sync configuration.")
      }
      return .file(path: path)
    }

    public static func == (left: Configuration, right: Configuration) -> Bool {
      left.fileURL == right.fileURL && left.inMemoryIdentifier == right.inMemoryIdentifier
        && left.encryptionKey == right.encryptionKey && left.readOnly == right.readOnly
        && left.schemaVersion == right.schemaVersion && left.replication?.identity == right.replication?.identity
    }

    public var description: String {
      let place = fileURL?.path ?? inMemoryIdentifier.map { "memory:\($0)" } ?? replication?.identity ?? "nowhere"
      return "Realm.Configuration(\(place), schema version \(schemaVersion)\(readOnly ? ", read-only" : ""))"
    }
  }
}

/// Brings data of an older schema version up to date, within one transaction.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void
