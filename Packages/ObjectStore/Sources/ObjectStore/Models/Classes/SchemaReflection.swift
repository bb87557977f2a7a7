public import DataModel

extension ObjectSchema {
  /// Whether objects belong to exactly one parent.
  public var isEmbedded: Bool { kind == .embedded }
  /// Whether objects are uploaded and not kept in the file.
  public var isAsymmetric: Bool { kind == .asymmetric }

  /// The class as applications see it: a primary key is indexed, and a mixed property not optional, since its `.none` is
  /// a value.
  var shown: ObjectSchema {
    var copy = self
    copy.properties = properties.map { property in
      var property = property
      if property.name == primaryKey { property.isIndexed = true }
      if property.type == .any { property.isOptional = false }
      return property
    }
    return copy
  }

  /// Name and properties, for people.
  public var description: String {
    let lines = properties.map { indented($0.description(isPrimary: $0.name == primaryKey)) }
    return "\(className) \(isEmbedded ? "(embedded) " : ""){\n" + lines.joined() + "}"
  }
}

extension Property {
  /// Name, type and attributes, for people.
  public var description: String { description(isPrimary: false) }

  fileprivate func description(isPrimary: Bool) -> String {
    var lines = ["type = \(type.text)"]
    if type == .object || type == .linkingObjects {
      lines.append("objectClassName = \(objectClassName ?? "(null)")")
      lines.append("linkOriginPropertyName = \(originPropertyName ?? "(null)")")
    }
    lines.append("columnName = \(columnName)")
    for (name, value) in [
      ("indexed", isIndexed || isPrimary), ("isPrimary", isPrimary), ("array", isArray), ("set", isSet),
      ("dictionary", isMap), ("optional", isOptional),
    ] { lines.append("\(name) = \(value ? "YES" : "NO")") }
    return "\(name) {\n" + lines.map { "\t\($0);\n" }.joined() + "}"
  }
}

extension PropertyType {
  /// The name of the type in descriptions.
  var text: String {
    switch self {
    case .linkingObjects: "linking objects"
    case .any: "mixed"
    case .objectId: "object id"
    case .UUID: "uuid"
    default: "\(self)"
    }
  }
}

extension Schema {
  /// The classes by name, for people.
  public var description: String {
    "Schema {\n" + objectSchema.sorted { $0.className < $1.className }.map { indented($0.description) }.joined() + "}"
  }
}

/// Lines indented by one tab, the last one ended.
private func indented(_ text: String) -> String {
  text.split(separator: "\n").map { "\t\($0)\n" }.joined()
}

extension Schema {
  /// The classes as applications see them; see ``DataModel/ObjectSchema/shown``.
  var shown: Schema { Schema(objectSchema.map(\.shown)) }
}

extension ObjectBase {
  /// The properties that the class declares; nil for a class without any, as the base classes.
  public class func sharedSchema() -> ObjectSchema? {
    let binding = ClassBinding.of(self)
    guard !binding.properties.isEmpty else { return nil }
    var schema = binding.declaration.schema.shown
    schema.properties.removeAll { $0.type == .linkingObjects }
    return schema
  }
}
