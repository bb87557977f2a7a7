import DataModel

/// One class of a realm with its names in the GraphQL schema.
final class ClassModel: Sendable {
  /// The class, whose positions of properties are those of query plans.
  let schema: ObjectSchema
  /// The object type.
  let typeName: String
  /// The root field of many objects, and that of one.
  let plural: String
  let singular: String
  /// The fields of the object type, in the order of the properties.
  let fields: [FieldModel]
  /// The primary key; nil for classes without.
  let key: FieldModel?
  private let positions: [String: Int]

  init(_ schema: ObjectSchema, typeName: String, plural: String, singular: String, fields: [FieldModel]) {
    self.schema = schema
    self.typeName = typeName
    self.plural = plural
    self.singular = singular
    self.fields = fields
    key = schema.primaryKey.flatMap { name in fields.first { $0.property.name == name } }
    positions = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The class in the realm.
  var className: String { schema.className }
  /// The name of the argument, or field, that identifies an object.
  var keyName: String { key?.name ?? Self.globalKeyName }
  /// The scalar of the key.
  var keyScalar: String { key.map { RealmScalars.name($0.property.type) } ?? "ID" }
  /// Whether objects stand by themselves and can be asked for.
  var isTopLevel: Bool { schema.kind == .topLevel }

  /// The field of a name in the GraphQL schema.
  func field(named name: String) -> FieldModel? { positions[name].map { fields[$0] } }

  /// The field by which objects of classes without primary key are named.
  static let globalKeyName = "_key"
}

/// One property of a class with its name in the GraphQL schema.
struct FieldModel: Sendable {
  /// The name.
  let name: String
  /// The property.
  let property: Property
  /// The position of the property in its class.
  let position: Int
  /// The class that the property leads to; nil for values.
  let target: String?

  /// The shape of the field's values.
  enum Shape: Sendable {
    case value, values, entries
    case object, objects, objectEntries
    case origins
  }

  /// The shape of the field's values.
  var shape: Shape {
    switch (property.type, property.collection) {
    case (.linkingObjects, _): .origins
    case (.object, .single): .object
    case (.object, .list), (.object, .set): .objects
    case (.object, .dictionary): .objectEntries
    case (_, .single): .value
    case (_, .list), (_, .set): .values
    case (_, .dictionary): .entries
    }
  }
}
