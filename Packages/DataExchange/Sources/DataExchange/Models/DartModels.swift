import DataModel

/// Models for Realm Flutter: the declarations from which its generator makes the classes.
struct DartModels: ModelWriter {
  let schema: Schema

  var header: String {
    """
    import 'dart:typed_data';
    import 'package:realm/realm.dart';

    part 'models.realm.dart';

    """
  }

  func code(_ object: ObjectSchema) -> String {
    let name = CodeName.identifier(object.className)
    var lines =
      switch object.kind {
      case .topLevel: ["@RealmModel()"]
      case .embedded: ["@RealmModel(ObjectType.embeddedObject)"]
      case .asymmetric: ["@RealmModel(ObjectType.asymmetricObject)"]
      }
    if name != object.className { lines.append("@MapTo(\(Self.literal(object.className)))") }
    lines.append("class _\(name) {")
    for property in object.properties {
      if property.name == object.primaryKey {
        lines.append("  @PrimaryKey()")
      } else if property.isIndexed {
        lines.append("  @Indexed()")
      }
      let name = Self.name(property.name)
      if name != property.name { lines.append("  @MapTo(\(Self.literal(property.name)))") }
      lines.append("  late \(type(property)) \(name);")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private func type(_ property: Property) -> String {
    let element = element(property)
    let optional = element + (property.isOptional && property.type != .object && property.type != .any ? "?" : "")
    switch property.collection {
    case .single: return property.type == .object ? element + "?" : optional
    case .list: return "List<\(optional)>"
    case .set: return "Set<\(optional)>"
    case .dictionary: return "Map<String, \(property.type == .object ? element + "?" : optional)>"
    }
  }

  private func element(_ property: Property) -> String {
    switch property.type {
    case .int: "int"
    case .bool: "bool"
    case .string: "String"
    case .data: "Uint8List"
    case .date: "DateTime"
    case .float, .double: "double"
    case .object: property.objectClassName.map { "_" + CodeName.identifier($0) } ?? "RealmObject"
    case .any, .linkingObjects: "RealmValue"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal128"
    case .UUID: "Uuid"
    }
  }

  private static let reserved: Set<String> = [
    "assert", "break", "case", "catch", "class", "const", "continue", "default", "do", "else", "enum", "extends",
    "false", "final", "finally", "for", "if", "in", "is", "late", "new", "null", "rethrow", "return", "super", "switch",
    "this", "throw", "true", "try", "var", "void", "while", "with",
  ]

  /// Private names would stay out of the class that is made.
  private static func name(_ name: String) -> String {
    let identifier = CodeName.identifier(name)
    return reserved.contains(identifier) || identifier.hasPrefix("_")
      ? "value" + CodeName.capitalized(identifier) : identifier
  }

  private static func literal(_ text: String) -> String {
    CodeName.literal(text).split(separator: "$", omittingEmptySubsequences: false).joined(separator: "\\$")
  }
}
