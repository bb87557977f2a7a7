import AdapterKit
import ChangesetOT
import DataModel
import ObjectServer
import PostgresClient
import RecordStore
import Telemetry

// Changes of schemas on either side.

extension ConnectorEngine {
  /// The classes of a realm without what no file stores.
  static func storable(_ schema: Schema, _ tables: [ClassTable]) -> Schema {
    let names = Set(tables.map(\.className))
    var schema = schema
    schema.objectSchema.removeAll { $0.kind != .embedded && !names.contains($0.className) }
    for index in schema.objectSchema.indices {
      schema.objectSchema[index].properties.removeAll { $0.type == .linkingObjects }
    }
    return schema
  }

  /// The steps that declare what a realm does not have of the classes.
  static func missing(_ wanted: Schema, in schema: Schema) -> [AdapterInstruction] {
    var steps: [AdapterInstruction] = []
    var properties: [AdapterInstruction] = []
    for layout in wanted.objectSchema {
      guard let there = schema[layout.className] else {
        var empty = layout
        empty.properties = layout.properties.filter { $0.name == layout.primaryKey }
        steps.append(.addType(empty))
        let rest = layout.properties.filter { $0.name != layout.primaryKey }
        if !rest.isEmpty { properties.append(.addProperties(className: layout.className, rest)) }
        continue
      }
      let new = layout.properties.filter { there[$0.name] == nil }
      if !new.isEmpty { properties.append(.addProperties(className: layout.className, new)) }
    }
    // Links may lead to classes that come later.
    return steps + properties
  }

  /// Makes columns of a realm's properties that the settings do not list, or says why not.
  ///
  /// - Returns: whether tables have other columns now.
  func noteSchemaChanges(_ path: String, _ schema: Schema) throws -> Bool {
    var (additions, losses): ([String], [String]) = ([], [])
    for layout in configuration.schema.objectSchema {
      guard let there = schema[layout.className] else { continue }
      for property in there.properties where layout[property.name] == nil {
        additions.append("\(layout.className).\(property.name)")
      }
      for property in layout.properties where there[property.name] == nil && property.type != .linkingObjects {
        losses.append("\(layout.className).\(property.name)")
      }
    }
    if !losses.isEmpty {
      logger.error(
        "the realm has lost properties that the settings list: their columns stay as they are. Take them out of the settings, and "
          + "drop the columns yourself if you want that",
        ["path": .string(path), "properties": .string(losses.joined(separator: ", "))])
    }
    guard !additions.isEmpty else { return false }
    guard configuration.appliesSchemaChanges else {
      logger.info(
        "the realm has properties that are not carried over; list them in the settings, or set apply-schema-changes",
        ["path": .string(path), "properties": .string(additions.joined(separator: ", "))])
      return false
    }
    guard try extend(by: schema) else { return false }
    logger.info("the tables were extended", ["properties": .string(additions.joined(separator: ", "))])
    return true
  }

  /// Takes properties of a realm's schema into the mapping that the settings do not list, and makes their columns.
  ///
  /// - Returns: whether there were such properties.
  @discardableResult
  func extend(by schema: Schema) throws -> Bool {
    var isExtended = false
    for index in configuration.schema.objectSchema.indices {
      let layout = configuration.schema.objectSchema[index]
      for property in schema[layout.className]?.properties ?? [] where layout[property.name] == nil {
        guard property.type != .linkingObjects,
          property.type != .object || configuration.schema[property.objectClassName ?? ""] != nil
        else { continue }
        configuration.schema.objectSchema[index].properties.append(property)
        isExtended = true
      }
    }
    guard isExtended else { return false }
    try planTables()
    try database.publish(tables)
    return true
  }

  /// Looks at tables whose columns have changed: what is gone or has another type ends the connector with an explanation, what is new
  /// becomes a property where the settings want it.
  ///
  /// - Throws: ``ConfigurationError``
  func noteTables(_ names: Set<String>) async throws {
    try waitUntilSeen()
    let found = try database.columns()
    for name in names.sorted() {
      guard let (table, sub) = table(name) else { continue }
      let wanted = sub?.rowNames ?? table.rowNames
      let gone = wanted.filter { found[name]?[$0] == nil }
      guard gone.isEmpty else {
        throw ConfigurationError(
          "the table \(name) has lost the columns \(gone.joined(separator: ", ")), which the settings need; make them again, or take "
            + "their properties out of the settings")
      }
      guard sub == nil else { continue }
      let new = (found[name] ?? [:]).filter { column, _ in !wanted.contains(column) }.sorted { $0.key < $1.key }
      guard !new.isEmpty else { continue }
      let names = new.map { "\(name).\($0.key)" }.joined(separator: ", ")
      guard configuration.appliesSchemaChanges else {
        logger.info(
          "a table has new columns, which are not carried over; list their properties in the settings, or set "
            + "apply-schema-changes", ["columns": .string(names)])
        continue
      }
      try await adopt(new, table)
    }
    // A changed type that does not fit any more is refused here.
    tables = try TablePlan(configuration: configuration, found: found).tables()
  }

  /// Makes properties of new columns, and gives them the values that the columns have.
  private func adopt(_ columns: [(key: String, value: TablePlan.Found)], _ table: ClassTable) async throws {
    guard let index = configuration.schema.objectSchema.firstIndex(where: { $0.className == table.className }) else {
      return
    }
    for (name, found) in columns {
      guard let property = ColumnTypes.property(name, found) else {
        logger.warn(
          "a new column has a type that no property holds; it is not carried over",
          ["column": .string("\(table.name).\(name)"), "type": .string(found.type)])
        continue
      }
      configuration.schema.objectSchema[index].properties.append(property)
      logger.info("a new column becomes a property", ["property": .string("\(table.className).\(name)")])
    }
    try planTables()
    guard let new = tables.first(where: { $0.className == table.className }) else { return }
    try await loadRealm(new, after: nil, rows: 0, only: nil, keepsState: false)
  }
}
