public import DataModel

/// The schema of a file as JSON, and back: classes, kinds, keys, and properties with their types.
public enum SchemaText {
  /// The JSON of a schema, one class per line. O(n), n the number of properties.
  public static func json(_ schema: Schema) -> String {
    "[\n" + schema.objectSchema.map { "    " + json($0) }.joined(separator: ",\n") + "\n  ]"
  }

  private static func json(_ object: ObjectSchema) -> String {
    var members = [("name", JSONText.quoted(object.className))]
    if object.kind != .topLevel { members.append(("kind", JSONText.quoted("\(object.kind)"))) }
    if let key = object.primaryKey { members.append(("primaryKey", JSONText.quoted(key))) }
    members.append(("properties", JSONText.array(object.properties.map(json))))
    return JSONText.object(members)
  }

  private static func json(_ property: Property) -> String {
    var members = [
      ("name", JSONText.quoted(property.name)), ("type", JSONText.quoted(typeNames[property.type] ?? "")),
    ]
    if property.collection != .single { members.append(("collection", JSONText.quoted("\(property.collection)"))) }
    if let target = property.objectClassName { members.append(("target", JSONText.quoted(target))) }
    if property.isOptional { members.append(("optional", "true")) }
    if property.isIndexed { members.append(("indexed", "true")) }
    return JSONText.object(members)
  }

  /// The names of the types, as in every text of the project.
  public static let typeNames: [PropertyType: String] = [
    .int: "int", .bool: "bool", .string: "string", .data: "data", .date: "date", .float: "float", .double: "double",
    .object: "object", .any: "mixed", .objectId: "objectId", .decimal128: "decimal128", .UUID: "uuid",
  ]
  private static let types = Dictionary(uniqueKeysWithValues: typeNames.map { ($1, $0) })
  private static let kinds: [String: ObjectKind] = [
    "topLevel": .topLevel, "embedded": .embedded, "asymmetric": .asymmetric,
  ]
  private static let collections: [String: CollectionKind] = [
    "single": .single, "list": .list, "set": .set, "dictionary": .dictionary,
  ]

  static func schema(_ node: JSONNode, file: String?) throws -> Schema {
    guard let classes = node.elements else {
      throw ExchangeError("a schema is an array of classes.", at: node.position, in: file)
    }
    return Schema(try classes.map { try object($0, file) })
  }

  private static func object(_ node: JSONNode, _ file: String?) throws -> ObjectSchema {
    guard let name = node["name"]?.string, let properties = node["properties"]?.elements else {
      throw ExchangeError("a class has a name and properties.", at: node.position, in: file)
    }
    guard let kind = kinds[node["kind"]?.string ?? "topLevel"] else {
      throw ExchangeError("a class is topLevel, embedded or asymmetric.", at: node.position, in: file, place: name)
    }
    let result = ObjectSchema(
      className: name, kind: kind, primaryKey: node["primaryKey"]?.string,
      properties: try properties.map { try property($0, name, file) })
    if let key = result.primaryKey {
      guard let type = result[key]?.type, [.int, .string, .objectId, .UUID].contains(type) else {
        throw ExchangeError(
          "the primary key '\(key)' must be an int, string, objectId or uuid of the class.", at: node.position,
          in: file, place: name)
      }
    }
    return result
  }

  private static func property(_ node: JSONNode, _ className: String, _ file: String?) throws -> Property {
    guard let name = node["name"]?.string, let type = node["type"]?.string.flatMap({ types[$0] }),
      let collection = collections[node["collection"]?.string ?? "single"]
    else {
      throw ExchangeError(
        "a property has a name and one of the types \(types.keys.sorted().joined(separator: ", ")).",
        at: node.position, in: file, place: className)
    }
    return Property(
      name: name, type: type, collection: collection, objectClassName: node["target"]?.string,
      isOptional: node["optional"]?.bool ?? false, isIndexed: node["indexed"]?.bool ?? false)
  }
}
