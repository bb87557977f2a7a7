public import DataModel

extension ObjectSchema {
  /// Whether objects live inside exactly one parent.
  public var isEmbedded: Bool { kind == .embedded }
  /// The model class of this program, `DynamicObject` when it has none of that name.
  public var objectClass: AnyClass { ClassBinding.named(className) ?? DynamicObject.self }
  /// Whether objects are written and uploaded but never kept.
  public var isAsymmetric: Bool { kind == .asymmetric }

  /// Name and properties, for people.
  public var description: String {
    let lines = properties.map { property -> String in
      property.description.split(separator: "\n").map { "\t\($0)" }.joined(separator: "\n")
    }
    return "\(className)\(isEmbedded ? " (embedded)" : "") {\n" + lines.joined(separator: "\n") + "\n}"
  }
}

extension Property {
  /// Name, type and attributes, for people.
  public var description: String {
    var lines = ["type = \(type);"]
    if let objectClassName { lines.append("objectClassName = \(objectClassName);") }
    if let originPropertyName { lines.append("linkOriginPropertyName = \(originPropertyName);") }
    if columnName != name { lines.append("columnName = \(columnName);") }
    for (name, value) in [
      ("indexed", isIndexed), ("array", isArray), ("set", isSet), ("map", isMap), ("optional", isOptional),
    ] { lines.append("\(name) = \(value ? "YES" : "NO");") }
    return "\(name) {\n" + lines.map { "\t\($0)" }.joined(separator: "\n") + "\n}"
  }
}

extension Schema {
  /// The classes, for people.
  public var description: String {
    "Schema {\n"
      + objectSchema.map { $0.description.split(separator: "\n").map { "\t\($0)" }.joined(separator: "\n") }
      .joined(separator: "\n") + "\n}"
  }
}
