import DataModel

/// The classes of a realm with their names in the GraphQL schema.
///
/// Names are a function of the schema alone: classes and properties are named in their order.
final class RealmModel: Sendable {
  /// The choices of the operator that change the schema.
  let options: RealmGraphQLOptions
  /// The classes, those of embedded objects among them.
  let classes: [ClassModel]
  /// The names of types that are made from those of classes, by what they are for.
  let derived: DerivedNames
  private let positions: [String: Int]

  init(_ schema: Schema, options: RealmGraphQLOptions) {
    self.options = options
    let known = Set(schema.objectSchema.map(\.className))
    var types = NameTable(reserved: Self.reservedTypes)
    var roots = NameTable(reserved: ["queryBasedSubscriptions"])
    let shown = schema.objectSchema.filter { $0.kind != .asymmetric }
    let typeNames = shown.map { types.take($0.className) }
    let plurals = zip(shown, typeNames).map { $0.kind == .topLevel ? roots.take(NameTable.lowerCamel($1) + "s") : "" }
    let singulars = zip(shown, typeNames).map { $0.kind == .topLevel ? roots.take(NameTable.lowerCamel($1)) : "" }
    classes = shown.indices.map { index in
      var names = NameTable(reserved: ["_linkingObjects", ClassModel.globalKeyName])
      let fields: [FieldModel] = shown[index].properties.enumerated().compactMap { position, property in
        if let target = property.objectClassName, !known.contains(target) { return nil }
        return FieldModel(
          name: names.take(property.name), property: property, position: position, target: property.objectClassName)
      }
      return ClassModel(
        shown[index], typeName: typeNames[index], plural: plurals[index], singular: singulars[index], fields: fields)
    }
    derived = DerivedNames(&types, classes)
    positions = Dictionary(
      classes.enumerated().map { ($1.className, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The class of a name in the realm.
  subscript(className: String) -> ClassModel? { positions[className].map { classes[$0] } }

  /// The class of a name in the GraphQL schema, or in the realm.
  func model(named name: String) -> ClassModel? { self[name] ?? classes.first { $0.typeName == name } }

  private static let reservedTypes: Set<String> = [
    "Query", "Mutation", "Subscription", "Int", "Float", "String", "Boolean", "ID", "Long", "Date", "Data", "ObjectId",
    "Decimal", "UUID", "Mixed", "UpdatePolicy", "LinkingObjects", "QueryBasedSubscription",
  ]
}

/// The names of types that are made from those of classes and scalars.
struct DerivedNames: Sendable {
  /// The uses of a type name.
  enum Use: String, CaseIterable, Sendable {
    case input = "Input"
    case collection = "Collection"
    case entry = "Entry"
    case entryInput = "EntryInput"
    case listEdit = "ListEdit"
    case setEdit = "SetEdit"
    case dictionaryEdit = "DictionaryEdit"
    case edit = "Edit"
    case changes = "Changes"
    case placed = "AtPosition"
  }

  private var names: [String: String] = [:]

  init(_ types: inout NameTable, _ classes: [ClassModel]) {
    let scalars = ["Long", "Boolean", "String", "Data", "Date", "Float", "ObjectId", "Decimal", "UUID", "Mixed"]
    for base in scalars + classes.map(\.typeName) {
      for use in Use.allCases { names[base + " " + use.rawValue] = types.take(base + use.rawValue) }
    }
  }

  /// The name of the type for a use of a class or a scalar.
  subscript(_ base: String, _ use: Use) -> String { names[base + " " + use.rawValue] ?? base + use.rawValue }
}

/// The choices of the operator that change the schema of a realm.
public struct RealmGraphQLOptions: Hashable, Sendable {
  /// Whether collections are objects with `count` and `items`: the platform's option `includeCountInResponses`.
  public var includesCount = false
  /// Whether the realm is opened by queries, whose subscriptions are managed by `create<Type>Subscription`.
  public var isQueryBased = false

  /// The standard choices.
  public init() {}
}
