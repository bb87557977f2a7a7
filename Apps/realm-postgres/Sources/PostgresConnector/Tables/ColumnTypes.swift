import DataModel

/// Which types of columns hold which properties.
enum ColumnTypes {
  /// The type of a new column.
  static func planned(_ property: Property, _ form: Column.Form) -> String {
    switch form {
    case .json: "jsonb"
    case .link(_, let key): planned(key)
    case .scalar: planned(property.type)
    case .array: planned(property.type) + "[]"
    }
  }

  private static func planned(_ type: PropertyType) -> String {
    switch type {
    case .int: "bigint"
    case .bool: "boolean"
    case .string, .objectId: "text"
    case .data: "bytea"
    case .date: "timestamp with time zone"
    case .float: "real"
    case .double: "double precision"
    case .decimal128: "numeric"
    case .UUID: "uuid"
    case .any, .object, .linkingObjects: "jsonb"
    }
  }

  /// Whether a column of a type can hold a property.
  static func fits(_ sqlType: String, _ property: Property, _ form: Column.Form) -> Bool {
    switch form {
    case .json: return ["jsonb", "json", "text"].contains(base(sqlType))
    case .array: return sqlType.hasSuffix("[]") && fits(base(String(sqlType.dropLast(2))), property.type)
    case .link(_, let key): return fits(base(sqlType), key)
    case .scalar: return fits(base(sqlType), property.type)
    }
  }

  /// The type without its length or precision.
  private static func base(_ sqlType: String) -> String {
    guard let open = sqlType.firstIndex(of: "("), let close = sqlType.firstIndex(of: ")") else { return sqlType }
    return String(sqlType[..<open] + sqlType[sqlType.index(after: close)...])
  }

  private static let texts: Set<String> = [
    "text", "varchar", "character", "character varying", "bpchar", "tsvector", "json", "jsonb", "uuid", "citext",
    "name",
    "bytea",
  ]

  private static func fits(_ base: String, _ type: PropertyType) -> Bool {
    switch type {
    case .string: texts.contains(base)
    case .float, .double: ["numeric", "decimal", "double precision", "real"].contains(base)
    case .int: ["bigint", "smallint", "integer"].contains(base)
    case .bool: base == "boolean" || base == "bool"
    case .date: base.hasPrefix("timestamp") || base == "date"
    case .data: base == "bytea"
    case .decimal128: ["numeric", "decimal", "bigint", "integer", "smallint"].contains(base)
    case .objectId: ["text", "character varying", "character"].contains(base)
    case .UUID: base == "uuid"
    case .object, .linkingObjects, .any: false
    }
  }

  /// The property that a column that nobody listed becomes; nil for a type that no property holds.
  static func property(_ name: String, _ found: TablePlan.Found) -> Property? {
    let isList = found.type.hasSuffix("[]")
    let element = found.isEnum ? "text" : base(isList ? String(found.type.dropLast(2)) : found.type)
    let order: [PropertyType] = [.int, .bool, .date, .data, .UUID, .decimal128, .double, .string]
    guard let type = order.first(where: { fits(element, $0) }) else { return nil }
    return Property(name: name, type: type, collection: isList ? .list : .single, isOptional: true)
  }
}
