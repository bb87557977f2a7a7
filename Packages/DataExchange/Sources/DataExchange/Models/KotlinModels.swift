import DataModel

/// Models for Realm Kotlin.
struct KotlinModels: ModelWriter {
  let schema: Schema

  var header: String {
    """
    import io.realm.kotlin.ext.*
    import io.realm.kotlin.types.*
    import io.realm.kotlin.types.annotations.*
    import org.mongodb.kbson.*

    """
  }

  func code(_ object: ObjectSchema) -> String {
    let base =
      switch object.kind {
      case .topLevel: "RealmObject"
      case .embedded: "EmbeddedRealmObject"
      case .asymmetric: "AsymmetricRealmObject"
      }
    var lines: [String] = []
    let name = CodeName.identifier(object.className)
    if name != object.className { lines.append("@PersistedName(\(Self.literal(object.className)))") }
    lines.append("class \(name) : \(base) {")
    for property in object.properties {
      if property.name == object.primaryKey {
        lines.append("    @PrimaryKey")
      } else if property.isIndexed {
        lines.append("    @Index")
      }
      let name = CodeName.identifier(property.name)
      if name != property.name { lines.append("    @PersistedName(\(Self.literal(property.name)))") }
      lines.append("    var \(Self.name(name)): \(type(property)) = \(initial(property))")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private func type(_ property: Property) -> String {
    let element = element(property)
    let isNullable = property.type == .object || property.type == .any || property.isOptional
    switch property.collection {
    case .single: return element + (isNullable ? "?" : "")
    case .list: return "RealmList<\(element)\(isNullable && property.type != .object ? "?" : "")>"
    case .set: return "RealmSet<\(element)\(isNullable && property.type != .object ? "?" : "")>"
    case .dictionary: return "RealmDictionary<\(element)\(isNullable ? "?" : "")>"
    }
  }

  private func element(_ property: Property) -> String {
    switch property.type {
    case .int: "Long"
    case .bool: "Boolean"
    case .string: "String"
    case .data: "ByteArray"
    case .date: "RealmInstant"
    case .float: "Float"
    case .double: "Double"
    case .object: property.objectClassName.map(CodeName.identifier) ?? "RealmObject"
    case .any, .linkingObjects: "RealmAny"
    case .objectId: "BsonObjectId"
    case .decimal128: "Decimal128"
    case .UUID: "RealmUUID"
    }
  }

  private func initial(_ property: Property) -> String {
    switch property.collection {
    case .list: return "realmListOf()"
    case .set: return "realmSetOf()"
    case .dictionary: return "realmDictionaryOf()"
    case .single: break
    }
    if property.isOptional { return "null" }
    switch property.type {
    case .int: return "0L"
    case .bool: return "false"
    case .string: return "\"\""
    case .data: return "byteArrayOf()"
    case .date: return "RealmInstant.from(0, 0)"
    case .float: return "0f"
    case .double: return "0.0"
    case .object, .any, .linkingObjects: return "null"
    case .objectId: return "BsonObjectId()"
    case .decimal128: return "Decimal128(\"0\")"
    case .UUID: return "RealmUUID.random()"
    }
  }

  private static let reserved: Set<String> = [
    "as", "break", "class", "continue", "do", "else", "false", "for", "fun", "if", "in", "interface", "is", "null",
    "object", "package", "return", "super", "this", "throw", "true", "try", "typealias", "typeof", "val", "var",
    "when", "while",
  ]

  private static func name(_ name: String) -> String { reserved.contains(name) ? "`\(name)`" : name }

  private static func literal(_ text: String) -> String {
    CodeName.literal(text).split(separator: "$", omittingEmptySubsequences: false).joined(separator: "\\$")
  }
}
