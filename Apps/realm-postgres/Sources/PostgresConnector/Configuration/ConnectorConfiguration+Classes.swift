import DataModel

// The classes of the settings.

extension ConnectorConfiguration {
  /// A class: `primary-key`, `embedded`, and properties such as `name = "string?"`, `stops = "Stop[]"`, `marks = "int<>"`,
  /// `notes = "string{}"`, `route = "Route"`.
  static func schema(_ name: String, _ entries: [Entry]) throws -> ObjectSchema {
    var schema = ObjectSchema(className: name, properties: [])
    for entry in entries {
      switch entry.key {
      case "primary-key": schema.primaryKey = try string(entry)
      case "embedded": if try bool(entry) { schema.kind = .embedded }
      default: schema.properties.append(try property(entry))
      }
    }
    if let key = schema.primaryKey, schema[key] == nil {
      throw ConfigurationError("class '\(name)' has no property '\(key)' for its primary-key")
    }
    return schema
  }

  static func property(_ entry: Entry) throws -> Property {
    var text = try string(entry)[...]
    var collection = CollectionKind.single
    for (suffix, kind) in [("[]", CollectionKind.list), ("<>", .set), ("{}", .dictionary)] where text.hasSuffix(suffix)
    {
      text = text.dropLast(2)
      collection = kind
    }
    let isOptional = text.hasSuffix("?")
    if isOptional { text = text.dropLast() }
    let types: [String: PropertyType] = [
      "int": .int, "bool": .bool, "string": .string, "data": .data, "date": .date, "float": .float, "double": .double,
      "decimal128": .decimal128, "objectId": .objectId, "uuid": .UUID, "mixed": .any,
    ]
    if let type = types[String(text)] {
      return Property(name: entry.key, type: type, collection: collection, isOptional: isOptional || type == .any)
    }
    guard text.first?.isUppercase == true else { throw fault(entry, "of no known type: '\(text)'") }
    return Property(
      name: entry.key, type: .object, collection: collection, objectClassName: String(text),
      isOptional: collection == .single || collection == .dictionary)
  }
}
