import DataModel
import GraphQL

/// Writes the types of a realm's GraphQL schema.
struct SchemaWriter {
  let model: RealmModel
  let roots: RootFields
  var types: [TypeDefinition] = RealmScalars.definitions
  /// The bases of entry types, and of edits, that are used.
  var entries: Set<String> = []
  var edits: Set<String> = []

  init(_ model: RealmModel, _ roots: RootFields) {
    self.model = model
    self.roots = roots
  }

  /// The checked schema.
  ///
  /// - Throws: `GraphQLSchemaError`, when a rule is missing here: names and types are made to fit.
  mutating func schema() throws -> GraphQLSchema {
    types.append(Self.updatePolicy)
    for type in model.classes { add(type) }
    addLinkingObjects()
    addRoots()
    let names: [OperationKind: String] = [.query: "Query", .mutation: "Mutation", .subscription: "Subscription"]
    let known = Set(types.map(\.name.text))
    return try GraphQLSchema(
      types: types, roots: names.filter { known.contains($0.value) }, scalars: RealmScalars.rules)
  }

  // MARK: Classes

  private mutating func add(_ type: ClassModel) {
    var fields = type.fields.map { FieldDefinition(Name($0.name), outputType($0), arguments: arguments(of: $0)) }
    if type.isTopLevel, type.key == nil {
      fields.append(
        .init(Name(ClassModel.globalKeyName), "ID!", description: "The name of the object, the same on every device."))
    }
    if type.isTopLevel { fields.append(linkingObjects) }
    if fields.isEmpty { fields.append(.init("_isEmpty", "Boolean!", description: "The class has no properties.")) }
    types.append(TypeDefinition(.object, Name(type.typeName), fields: fields))
    addInput(of: type)
    for field in type.fields { addEntry(of: field) }
    guard type.isTopLevel else { return }
    if model.options.includesCount { addCollection(of: type) }
    addChanges(of: type)
    if type.hasEdits { addEdit(of: type) }
  }

  private var linkingObjects: FieldDefinition {
    FieldDefinition(
      "_linkingObjects",
      model.options.includesCount
        ? .named("LinkingObjects") : .list(.nonNull(.named("LinkingObjects"))),
      arguments: [.init("objectType", "String!"), .init("property", "String!")] + Self.collectionArguments,
      description: "The objects of a class that link to this one by a property.")
  }

  private mutating func addLinkingObjects() {
    let members = model.classes.filter(\.isTopLevel).map {
      Name(model.options.includesCount ? model.derived[$0.typeName, .collection] : $0.typeName)
    }
    if !members.isEmpty { types.append(TypeDefinition(.union, "LinkingObjects", members: members)) }
  }

  func base(_ field: FieldModel) -> String {
    field.target.flatMap { model[$0]?.typeName } ?? RealmScalars.name(field.property.type)
  }

  private func outputType(_ field: FieldModel) -> TypeReference {
    let named = TypeReference.named(Name(base(field)))
    // A number that JSON does not have is an error of its field, not of the object.
    let isFloat = field.property.type == .float || field.property.type == .double
    let mayBeNull = field.property.isOptional || isFloat || field.property.type == .any
    switch field.shape {
    case .value: return mayBeNull ? named : .nonNull(named)
    case .values: return .nonNull(.list(mayBeNull ? named : .nonNull(named)))
    case .object: return named
    case .objects, .origins: return .nonNull(.list(.nonNull(named)))
    case .entries, .objectEntries:
      return .nonNull(.list(.nonNull(.named(Name(model.derived[base(field), .entry])))))
    }
  }

  private func arguments(of field: FieldModel) -> [InputValueDefinition] {
    switch field.shape {
    case .objects where field.target.flatMap { model[$0]?.isTopLevel } == true, .origins: Self.collectionArguments
    case .objects, .value, .values, .entries, .object, .objectEntries: []
    }
  }

  private mutating func addEntry(of field: FieldModel) {
    guard field.property.collection == .dictionary else { return }
    let name = base(field)
    guard entries.insert(name).inserted else { return }
    let value = TypeReference.named(Name(name))
    types.append(
      TypeDefinition(
        .object, Name(model.derived[name, .entry]),
        fields: [.init("key", "String!"), .init("value", value)]))
    types.append(
      TypeDefinition(
        .inputObject, Name(model.derived[name, .entryInput]),
        inputFields: [.init("key", "String!"), .init("value", inputValue(field))]))
  }
}
