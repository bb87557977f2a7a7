import ByteCoding
import DataModel
import Permissions
import RecordStore

extension AdminOperation {
  static let schemas = [addSchema]

  private static let types: [(name: String, type: PropertyType)] = [
    ("int", .int), ("bool", .bool), ("string", .string), ("data", .data), ("date", .date), ("float", .float),
    ("double", .double), ("object", .object), ("any", .any), ("objectId", .objectId), ("decimal128", .decimal128),
    ("UUID", .UUID),
  ]

  private static let collections: [(name: String, kind: CollectionKind)] = [
    ("single", .single), ("list", .list), ("set", .set), ("dictionary", .dictionary),
  ]

  static let addedClassesSchema = AdminSchema.array(
    .object([
      .init("name", .string(maximum: 57)),
      .init("kind", .choice(["topLevel", "embedded", "asymmetric"]), isRequired: false, "topLevel unless given."),
      .init("primaryKey", .string(maximum: 63), isRequired: false, "Of a new class; one of the properties."),
      .init(
        "properties",
        .array(
          .object([
            .init("name", .string(maximum: 63)), .init("type", .choice(types.map(\.name))),
            .init("collection", .choice(collections.map(\.name)), isRequired: false, "single unless given."),
            .init("isOptional", .boolean, isRequired: false), .init("isIndexed", .boolean, isRequired: false),
            .init("target", .string(maximum: 57), isRequired: false, "The class that a link leads to."),
          ]))),
    ]))

  private static let addSchema = AdminOperation(
    name: "addSchema", method: "POST", path: "realm/schema",
    summary: """
      Adds classes, and properties to classes that are there, as one transaction. Apps of earlier versions go on; nothing is changed \
      or removed.
      """,
    body: .object([.init("path", .string(maximum: 1_024)), .init("classes", addedClassesSchema)]),
    answer: .object([.init("version", .integer(), "The version of the realm's history from which on they are there.")]),
    refusals: [404, 409, 501],
    work: .loop { call, completion in
      let added: Schema
      do throws(APIError) { added = try schema(call.body["classes"]) } catch { return completion(.failure(error)) }
      inRealm(call, call.body["path"]?.string ?? "", completion) { target, history in
        try history.edit(by: target.access) { editor in
          try editor.addClasses(try completed(added, editor.schema))
          try editor.openPermissions(ofClasses: added.objectSchema.map(\.className))
        }
        let version = try history.state().current.version.rawValue
        return (.object([("version", .integer(Int(clamping: version)))]), true)
      }
    })

  /// The classes that a body declares.
  ///
  /// - Throws: ``APIError`` with 400
  static func schema(_ value: JSONValue?) throws(APIError) -> Schema {
    var classes: [ObjectSchema] = []
    for given in value?.elements ?? [] {
      let name = given["name"]?.string ?? ""
      guard !name.isEmpty, !name.hasPrefix("__") else {
        throw APIError(400, .invalidParameter, "'\(name)' is no name for a class of an app")
      }
      var properties: [Property] = []
      for value in given["properties"]?.elements ?? [] { properties.append(try property(value, of: name)) }
      let key = given["primaryKey"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      guard key == nil || properties.contains(where: { $0.name == key }) else {
        throw APIError(400, .invalidParameter, "the primary key of \(name) is none of its properties")
      }
      let kind: ObjectKind =
        switch given["kind"]?.string {
        case "embedded": .embedded
        case "asymmetric": .asymmetric
        default: .topLevel
        }
      classes.append(ObjectSchema(className: name, kind: kind, primaryKey: key, properties: properties))
    }
    return Schema(classes)
  }

  private static func property(_ value: JSONValue, of className: String) throws(APIError) -> Property {
    let name = value["name"]?.string ?? ""
    guard !name.isEmpty, let type = types.first(where: { $0.name == value["type"]?.string })?.type else {
      throw APIError(400, .invalidParameter, "a property of \(className) has no name")
    }
    let collection = collections.first { $0.name == value["collection"]?.string }?.kind ?? .single
    let target = value["target"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    guard (type == .object) == (target != nil) else {
      throw APIError(400, .invalidParameter, "'target' of \(className).\(name) is for links, and links need one")
    }
    // Links, and mixed values, can always be null; those of lists and sets never.
    let isOptional =
      switch (type, collection) {
      case (.object, .single), (.object, .dictionary), (.any, _): true
      case (.object, .list), (.object, .set): false
      default: value["isOptional"]?.bool ?? false
      }
    return Property(
      name: name, type: type, collection: collection, objectClassName: target, isOptional: isOptional,
      isIndexed: value["isIndexed"]?.bool ?? false)
  }

  /// Declarations with the properties that their classes have already, since a declaration is of a whole class.
  ///
  /// - Throws: ``APIError`` with 400 for a declaration that is not possible beside the classes that are there.
  static func completed(_ added: Schema, _ present: Schema) throws(APIError) -> Schema {
    let completed = Schema(
      added.objectSchema.map { declared in
        guard let known = present[declared.className] else { return declared }
        let new = declared.properties.filter { known[$0.name] == nil }
        let changed = declared.properties.filter { known[$0.name] != nil }
        return ObjectSchema(
          className: known.className, kind: known.kind, primaryKey: known.primaryKey,
          properties: known.properties.map { property in changed.first { $0.name == property.name } ?? property } + new)
      })
    // Of the other classes only names and kinds count: what a file has is not judged here.
    let others = present.objectSchema.filter { completed[$0.className] == nil }
    do throws(DataModelError) {
      try Schema(
        completed.objectSchema + others.map { ObjectSchema(className: $0.className, kind: $0.kind, properties: []) }
      ).validate()
    } catch {
      throw APIError(400, .invalidParameter, error.description)
    }
    return completed
  }
}
