import DataModel

/// The names of tables and columns: those of classes and properties, where SQLite can tell them apart.
///
/// SQLite does not distinguish cases and keeps names that begin with `sqlite_` for itself; the second of two names that it
/// would confuse gets `~2` behind it. Both directions work from the schema alone.
struct SQLiteNames {
  static let schemaTable = "realm_schema"
  private(set) var tables: [String: String] = [:]
  private(set) var sideTables: [String: [String: String]] = [:]
  private(set) var columns: [String: [String: String]] = [:]

  init(_ schema: Schema) {
    var used: Set<String> = [Self.schemaTable]
    let objects = schema.objectSchema.filter { $0.kind != .embedded }
    for object in objects { tables[object.className] = Self.unique(object.className, &used) }
    for object in objects {
      var usedColumns: Set<String> = object.primaryKey == nil ? ["$key"] : []
      for property in object.properties {
        if property.collection == .single {
          columns[object.className, default: [:]][property.name] = Self.unique(property.name, &usedColumns)
        } else {
          let name = (tables[object.className] ?? object.className) + "." + property.name
          sideTables[object.className, default: [:]][property.name] = Self.unique(name, &used)
        }
      }
    }
  }

  private static func unique(_ name: String, _ used: inout Set<String>) -> String {
    let base = name.lowercased().hasPrefix("sqlite_") || name.isEmpty ? "_" + name : name
    var candidate = base
    var number = 2
    while !used.insert(candidate.lowercased()).inserted {
      candidate = base + "~\(number)"
      number += 1
    }
    return candidate
  }

  static func quoted(_ name: String) -> String {
    "\"" + String(decoding: name.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] }, as: UTF8.self) + "\""
  }

  func table(_ object: ObjectSchema) -> String { Self.quoted(tables[object.className] ?? object.className) }

  func sideTable(_ property: Property, of object: ObjectSchema) -> String {
    Self.quoted(sideTables[object.className]?[property.name] ?? property.name)
  }

  func column(_ property: Property, of object: ObjectSchema) -> String {
    Self.quoted(columns[object.className]?[property.name] ?? property.name)
  }
}
