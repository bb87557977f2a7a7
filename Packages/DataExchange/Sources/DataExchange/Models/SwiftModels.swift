import DataModel

/// Models for RealmSwift.
struct SwiftModels: ModelWriter {
  let schema: Schema

  var header: String {
    let needsFoundation = schema.objectSchema.contains {
      $0.properties.contains { [.data, .date, .UUID].contains($0.type) }
    }
    return (needsFoundation ? "import Foundation\n" : "") + "import RealmSwift\n"
  }

  func code(_ object: ObjectSchema) -> String {
    let base =
      switch object.kind {
      case .topLevel: "Object"
      case .embedded: "EmbeddedObject"
      case .asymmetric: "AsymmetricObject"
      }
    let name = Self.name(object.className)
    var lines = ["class \(name): \(base) {"]
    lines += object.properties.map { "  " + property($0, of: object) }
    if CodeName.identifier(object.className) != object.className {
      lines.append("")
      lines.append(
        "  override class func _realmObjectName() -> String? { \(CodeName.literal(object.className)) }")
    }
    let renamed = object.properties.filter { CodeName.identifier($0.name) != $0.name }
    if !renamed.isEmpty {
      let pairs = renamed.map { "\(CodeName.literal(CodeName.identifier($0.name))): \(CodeName.literal($0.name))" }
      lines.append("")
      lines.append(
        "  override class func propertiesMapping() -> [String: String] { [\(pairs.joined(separator: ", "))] }")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private func property(_ property: Property, of object: ObjectSchema) -> String {
    let isKey = property.name == object.primaryKey
    let rule = isKey ? "(primaryKey: true)" : property.isIndexed ? "(indexed: true)" : ""
    return "@Persisted\(rule) var \(Self.name(property.name)): \(type(property))"
  }

  private func type(_ property: Property) -> String {
    let element = element(property)
    let isLink = property.type == .object
    switch property.collection {
    case .single: return element + (property.isOptional && property.type != .any || isLink ? "?" : "")
    case .list: return "List<\(element)\(property.isOptional && !isLink && property.type != .any ? "?" : "")>"
    case .set: return "MutableSet<\(element)\(property.isOptional && !isLink && property.type != .any ? "?" : "")>"
    case .dictionary:
      return "Map<String, \(element)\(isLink || property.isOptional && property.type != .any ? "?" : "")>"
    }
  }

  private func element(_ property: Property) -> String {
    switch property.type {
    case .int: "Int"
    case .bool: "Bool"
    case .string: "String"
    case .data: "Data"
    case .date: "Date"
    case .float: "Float"
    case .double: "Double"
    case .object: property.objectClassName.map(Self.name) ?? "Object"
    case .any, .linkingObjects: "AnyRealmValue"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal128"
    case .UUID: "UUID"
    }
  }

  private static let reserved: Set<String> = [
    "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "private", "protocol", "public", "repeat", "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while", "Type", "Self", "Any",
  ]

  static func name(_ name: String) -> String {
    let identifier = CodeName.identifier(name)
    return reserved.contains(identifier) ? "`\(identifier)`" : identifier
  }
}
