public import DataModel

extension ObjectSchema {
  /// Whether objects belong to exactly one parent.
  public var isEmbedded: Bool { kind == .embedded }
  /// Whether objects are uploaded and not kept in the file.
  public var isAsymmetric: Bool { kind == .asymmetric }

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
