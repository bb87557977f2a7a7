import DataModel

extension ConnectorConfiguration {
  /// Reads the settings of a file.
  ///
  /// - Throws: ``ConfigurationError`` for text that is no TOML, for names that are none, and for values that do not fit: no
  ///   setting is passed over.
  public init(toml text: String) throws {
    self.init()
    let file: TOMLFile
    do { file = try TOMLFile(text) } catch { throw ConfigurationError(error.description) }
    var classes: [ObjectSchema] = []
    for table in file.tables {
      switch table.name {
      case "":
        for entry in table.entries { try setTop(entry) }
      case "postgres":
        for entry in table.entries { try setPostgres(entry) }
      case "realm":
        for entry in table.entries { try setRealm(entry) }
      case "log":
        for entry in table.entries { try setLog(entry) }
      case "types":
        for entry in table.entries { customTypes[entry.key] = try Self.string(entry) }
      case "tables":
        for entry in table.entries { tableNames[entry.key] = try Self.string(entry) }
      case "paths":
        for entry in table.entries { classPaths[entry.key] = try Self.string(entry) }
      case "embedded":
        for entry in table.entries { try setEmbedded(entry) }
      case "columns":
        for entry in table.entries { columnNames[entry.key] = try Self.string(entry) }
      case _ where table.name.hasPrefix("class."):
        classes.append(try Self.schema(String(table.name.dropFirst(6)), table.entries))
      default: throw ConfigurationError("there is no table [\(table.name)]")
      }
    }
    schema = Schema(classes)
    try check()
  }

  typealias Entry = (key: String, value: TOMLFile.Value, line: Int)

  static func fault(_ entry: Entry, _ expected: String) -> ConfigurationError {
    ConfigurationError("line \(entry.line): '\(entry.key)' is \(expected)")
  }

  private static func unknown(_ entry: Entry) -> ConfigurationError {
    ConfigurationError("line \(entry.line): there is no setting '\(entry.key)'")
  }

  static func string(_ entry: Entry) throws -> String {
    guard case .string(let text) = entry.value else { throw fault(entry, "a text") }
    return text
  }

  static func bool(_ entry: Entry) throws -> Bool {
    guard case .bool(let value) = entry.value else { throw fault(entry, "true or false") }
    return value
  }

  private static func integer(_ entry: Entry, _ range: ClosedRange<Int>) throws -> Int {
    guard case .integer(let value) = entry.value, range.contains(value) else {
      throw fault(entry, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  private mutating func setTop(_ entry: Entry) throws {
    switch entry.key {
    case "name":
      name = try Self.string(entry)
      (slot, publication) = ("openrealm_" + name, "openrealm_" + name)
    default: throw Self.unknown(entry)
    }
  }

  private mutating func setPostgres(_ entry: Entry) throws {
    switch entry.key {
    case "host", "user", "password": connection[entry.key] = try Self.string(entry)
    case "port": connection["port"] = String(try Self.integer(entry, 1...65_535))
    case "database": connection["dbname"] = try Self.string(entry)
    case "sslmode", "sslrootcert": connection[entry.key] = try Self.string(entry)
    case "connect-timeout": connection["connect_timeout"] = String(try Self.integer(entry, 2...3_600))
    case "number-of-retries": numberOfRetries = try Self.integer(entry, 0...1_000)
    case "retry-delay-milliseconds": retryDelay = .milliseconds(try Self.integer(entry, 0...600_000))
    case "create-database": createsDatabase = try Self.bool(entry)
    case "create-schema": createsTables = try Self.bool(entry)
    case "schema": namespace = try Self.string(entry)
    case "reset-replication-slot": resetsSlot = try Self.bool(entry)
    case "slot": slot = try Self.string(entry)
    case "publication": publication = try Self.string(entry)
    case "slot-warning-megabytes": slotWarningBytes = try Self.integer(entry, 1...1 << 30) << 20
    default: throw Self.unknown(entry)
    }
  }

  private mutating func setRealm(_ entry: Entry) throws {
    switch entry.key {
    case "pattern": realmPattern = try Self.string(entry)
    case "path": realmPath = try Self.string(entry)
    case "initialize-from-postgres": initializesRealms = try Self.bool(entry)
    case "apply-schema-changes": appliesSchemaChanges = try Self.bool(entry)
    case "switch-to-reference-realm":
      guard try Self.bool(entry) else { return }
      throw Self.fault(entry, "not needed here: every realm of this server takes queries; remove the line")
    default: throw Self.unknown(entry)
    }
  }

  private mutating func setEmbedded(_ entry: Entry) throws {
    switch try Self.string(entry) {
    case "table": embeddedTables.insert(entry.key)
    case "json": embeddedTables.remove(entry.key)
    default: throw Self.fault(entry, "'table' or 'json'")
    }
  }

  private mutating func setLog(_ entry: Entry) throws {
    switch entry.key {
    case "statements": logsStatements = try Self.bool(entry)
    case "level":
      logLevel = try Self.string(entry)
      guard ["error", "warn", "info", "debug", "trace"].contains(logLevel) else {
        throw Self.fault(entry, "one of error, warn, info, debug and trace")
      }
    case "file":
      guard entry.value != .bool(true) else { return logFile = "" }
      logFile = try Self.string(entry)
      guard logFile?.isEmpty == false else { throw Self.fault(entry, "a path, or true for a name made of the time") }
    default: throw Self.unknown(entry)
    }
  }
}
