import DataModel

/// The settings of a connector.
///
/// Read from a TOML file by ``init(toml:)``; `Docs/PostgreSQL.md` lists the names.
public struct ConnectorConfiguration: Sendable {
  /// The name of the connector: of its positions, its slot and its publication.
  public var name = "postgres"

  // MARK: The database

  /// The parameters of libpq for the database.
  public var connection: [String: String] = [:]
  /// Whether the database is made when it is missing.
  public var createsDatabase = false
  /// Whether tables, columns and constraints that are missing are made at the start.
  public var createsTables = true
  /// The schema of the tables.
  public var namespace = "public"
  /// Whether the replication slot is made anew at the start: what changed in the database since the last run is not carried over.
  public var resetsSlot = false
  /// The replication slot.
  public var slot = "openrealm_postgres"
  /// The publication.
  public var publication = "openrealm_postgres"
  /// The further tries of a transaction that fails for a reason that may pass.
  public var numberOfRetries = 3
  /// The time between two tries.
  public var retryDelay: Duration = .milliseconds(10)
  /// Bytes of log that the slot may hold back before it is reported.
  public var slotWarningBytes = 1 << 30

  // MARK: The realms

  /// The paths that are followed.
  public var realmPattern = ""
  /// The path of the realm of a row: a path with column names in braces, such as `/{owner}/shop`.
  public var realmPath = ""
  /// Whether realms are filled from the tables at the first start; otherwise the tables are filled from the realms.
  public var initializesRealms = false
  /// Whether classes and properties that realms get later become tables and columns.
  public var appliesSchemaChanges = false
  /// The classes that are carried over.
  public var schema = Schema()
  /// The table of a class, or of `Class.property`, where the names differ.
  public var tableNames: [String: String] = [:]
  /// The column of a property, where the names differ: `Class.property`.
  public var columnNames: [String: String] = [:]
  /// The embedded objects that have a table of their own: `Class.property`. The others are JSON in a column.
  public var embeddedTables: Set<String> = []
  /// The paths of the realms of a class, where they differ from ``realmPath``.
  public var classPaths: [String: String] = [:]
  /// Types of the database that are treated as others.
  public var customTypes: [String: String] = [:]

  // MARK: The log

  /// Whether statements are logged, at level `debug`.
  public var logsStatements = false
  /// The level of the log.
  public var logLevel = "info"
  /// The file of the log; nil for the standard error.
  public var logFile: String?

  /// The standard settings.
  public init() {}

  /// The table of a class.
  func table(of className: String) -> String { tableNames[className] ?? className }

  /// The path of the realms of a class.
  func path(of className: String) -> String { classPaths[className] ?? realmPath }

  /// The column of a property.
  func column(of property: String, in className: String) -> String {
    columnNames["\(className).\(property)"] ?? property
  }
}

/// A fault in the settings, with its place.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fault, beginning with the line where there is one.
  public let description: String

  init(_ description: String) { self.description = description }
}
