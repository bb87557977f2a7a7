import DataModel

/// Models for Realm Java.
struct JavaModels: ModelWriter {
  let schema: Schema

  var header: String {
    """
    // A file of Java has one public class: each is to be put, with these imports, into the file of its name.
    import io.realm.*;
    import io.realm.annotations.*;
    import java.util.Date;
    import java.util.UUID;
    import org.bson.types.Decimal128;
    import org.bson.types.ObjectId;

    """
  }

  func code(_ object: ObjectSchema) -> String {
    let name = Self.name(object.className)
    var arguments = name == object.className ? [] : ["name = \(CodeName.literal(object.className))"]
    if object.kind == .embedded { arguments.append("embedded = true") }
    var lines = arguments.isEmpty ? [] : ["@RealmClass(\(arguments.joined(separator: ", ")))"]
    lines.append("public class \(name) extends RealmObject {")
    for property in object.properties {
      if property.name == object.primaryKey {
        lines.append("    @PrimaryKey")
      } else if property.isIndexed {
        lines.append("    @Index")
      }
      if isRequired(property) { lines.append("    @Required") }
      let name = Self.name(property.name)
      if name != property.name { lines.append("    @RealmField(name = \(CodeName.literal(property.name)))") }
      lines.append("    public \(type(property)) \(name)\(initial(property));")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  /// Whether the type itself would allow null.
  private func isRequired(_ property: Property) -> Bool {
    guard !property.isOptional, property.type != .object, property.type != .any else { return false }
    guard property.collection == .single else { return true }
    return switch property.type {
    case .string, .data, .date, .objectId, .decimal128, .UUID: true
    case .int, .bool, .float, .double, .object, .any, .linkingObjects: false
    }
  }

  private func type(_ property: Property) -> String {
    switch property.collection {
    case .single: property.isOptional ? boxed(property) : plain(property)
    case .list: "RealmList<\(boxed(property))>"
    case .set: "RealmSet<\(boxed(property))>"
    case .dictionary: "RealmDictionary<\(boxed(property))>"
    }
  }

  private func initial(_ property: Property) -> String {
    switch property.collection {
    case .list: return " = new RealmList<>()"
    case .set: return " = new RealmSet<>()"
    case .dictionary: return " = new RealmDictionary<>()"
    case .single: break
    }
    guard !property.isOptional else { return "" }
    return switch property.type {
    case .string: " = \"\""
    case .data: " = new byte[0]"
    case .date: " = new Date(0)"
    case .objectId: " = new ObjectId()"
    case .decimal128: " = Decimal128.POSITIVE_ZERO"
    case .UUID: " = UUID.randomUUID()"
    case .int, .bool, .float, .double, .object, .any, .linkingObjects: ""
    }
  }

  private func plain(_ property: Property) -> String {
    switch property.type {
    case .int: "long"
    case .bool: "boolean"
    case .float: "float"
    case .double: "double"
    case .string, .data, .date, .object, .any, .linkingObjects, .objectId, .decimal128, .UUID: boxed(property)
    }
  }

  private func boxed(_ property: Property) -> String {
    switch property.type {
    case .int: "Long"
    case .bool: "Boolean"
    case .string: "String"
    case .data: "byte[]"
    case .date: "Date"
    case .float: "Float"
    case .double: "Double"
    case .object: property.objectClassName.map(Self.name) ?? "RealmObject"
    case .any, .linkingObjects: "RealmAny"
    case .objectId: "ObjectId"
    case .decimal128: "Decimal128"
    case .UUID: "UUID"
    }
  }

  private static let reserved: Set<String> = [
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "default",
    "do", "double", "else", "enum", "extends", "false", "final", "finally", "float", "for", "goto", "if", "implements",
    "import", "instanceof", "int", "interface", "long", "native", "new", "null", "package", "private", "protected",
    "public", "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw", "throws",
    "transient", "true", "try", "void", "volatile", "while",
  ]

  private static func name(_ name: String) -> String {
    let identifier = CodeName.identifier(name)
    return reserved.contains(identifier) ? identifier + "_" : identifier
  }
}
