import DataModel

/// Models for Realm JavaScript, with or without the types of TypeScript.
struct JavaScriptModels: ModelWriter {
  let schema: Schema
  /// Whether members are declared with their types.
  let isTyped: Bool

  var header: String {
    isTyped ? "import Realm, { BSON, ObjectSchema } from \"realm\";\n" : "import Realm from \"realm\";\n"
  }

  func code(_ object: ObjectSchema) -> String {
    let name = Self.className(object.className)
    var lines = ["export class \(name) extends Realm.Object\(isTyped ? "<\(name)>" : "") {"]
    if isTyped {
      for property in object.properties {
        lines.append("  \(Self.member(property.name))\(isNullable(property) ? "?" : "!"): \(type(property));")
      }
      lines.append("")
    }
    lines.append("  static schema\(isTyped ? ": ObjectSchema" : "") = {")
    lines.append("    name: \(CodeName.literal(object.className)),")
    if object.kind == .embedded { lines.append("    embedded: true,") }
    if object.kind == .asymmetric { lines.append("    asymmetric: true,") }
    if let key = object.primaryKey { lines.append("    primaryKey: \(CodeName.literal(key)),") }
    lines.append("    properties: {")
    for property in object.properties {
      lines.append("      \(Self.member(property.name)): \(schemaType(property, of: object)),")
    }
    return (lines + ["    },", "  };", "}", ""]).joined(separator: "\n")
  }

  private static let reserved: Set<String> = [
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete",
    "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements",
    "import", "in", "instanceof", "interface", "let", "new", "null", "package", "private", "protected", "public",
    "return", "static", "super", "switch", "this", "throw", "true", "try", "typeof", "var", "void", "while", "with",
    "yield",
  ]

  /// Members may be called by reserved words, classes may not.
  private static func className(_ name: String) -> String {
    let identifier = CodeName.identifier(name)
    return reserved.contains(identifier) ? identifier + "_" : identifier
  }

  /// A name that is no identifier stands in quotes.
  private static func member(_ name: String) -> String {
    CodeName.identifier(name) == name ? name : CodeName.literal(name)
  }

  private func isNullable(_ property: Property) -> Bool {
    property.collection == .single && (property.isOptional || property.type == .object)
  }

  private func type(_ property: Property) -> String {
    let isLink = property.type == .object
    let element = element(property) + (property.isOptional && !isLink && property.type != .any ? " | null" : "")
    switch property.collection {
    case .single: return element
    case .list: return "Realm.List<\(element)>"
    case .set: return "Realm.Set<\(element)>"
    case .dictionary: return "Realm.Dictionary<\(element)\(isLink ? " | null" : "")>"
    }
  }

  private func element(_ property: Property) -> String {
    switch property.type {
    case .int, .float, .double: "number"
    case .bool: "boolean"
    case .string: "string"
    case .data: "ArrayBuffer"
    case .date: "Date"
    case .object: property.objectClassName.map(Self.className) ?? "Realm.Object"
    case .any, .linkingObjects: "Realm.Types.Mixed"
    case .objectId: "BSON.ObjectId"
    case .decimal128: "BSON.Decimal128"
    case .UUID: "BSON.UUID"
    }
  }

  private func schemaType(_ property: Property, of object: ObjectSchema) -> String {
    let kind: String =
      switch property.type {
      case .any, .linkingObjects: "mixed"
      case .decimal128: "decimal128"
      case .UUID: "uuid"
      case .object: "object"
      case .int, .bool, .string, .data, .date, .float, .double, .objectId: "\(property.type)"
      }
    var members: [String] = []
    switch property.collection {
    case .single: members.append("type: \"\(kind)\"")
    case .list, .set, .dictionary:
      members.append("type: \"\(property.collection)\"")
      if property.type != .object { members.append("objectType: \"\(kind)\"") }
    }
    if let target = property.objectClassName { members.append("objectType: \(CodeName.literal(target))") }
    if property.isOptional, property.type != .object { members.append("optional: true") }
    if property.isIndexed, property.name != object.primaryKey { members.append("indexed: true") }
    return "{ \(members.joined(separator: ", ")) }"
  }
}
