import DataModel
import GraphQL

/// Writes the types of a realm's GraphQL schema.
struct SchemaWriter {
  let model: RealmModel
  let roots: RootFields
  private(set) var types: [TypeDefinition] = RealmScalars.definitions
  /// The bases of entry types, and of edits, that are used.
  private var entries: Set<String> = []
  private var edits: Set<String> = []

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
    let kinds = roots.queries.isEmpty ? [.query] : OperationKind.allCases
    let names: [OperationKind: String] = [.query: "Query", .mutation: "Mutation", .subscription: "Subscription"]
    return try GraphQLSchema(types: types, roots: names.filter { kinds.contains($0.key) }, scalars: RealmScalars.rules)
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

  private func base(_ field: FieldModel) -> String {
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

  // MARK: Inputs

  private func inputValue(_ field: FieldModel) -> TypeReference {
    .named(Name(field.target.map { model.derived[model[$0]?.typeName ?? $0, .input] } ?? base(field)))
  }

  /// The elements of a collection as arguments.
  private func elementType(_ field: FieldModel) -> TypeReference {
    if field.property.collection == .dictionary {
      return .nonNull(.named(Name(model.derived[base(field), .entryInput])))
    }
    let mayBeNull = (field.property.isOptional && field.target == nil) || field.property.type == .any
    return mayBeNull ? inputValue(field) : .nonNull(inputValue(field))
  }

  private mutating func addInput(of type: ClassModel) {
    var fields: [InputValueDefinition] = []
    for field in type.fields where field.property.type != .linkingObjects {
      let isKey = type.key?.position == field.position
      let value: TypeReference =
        field.property.collection == .single ? inputValue(field) : .list(elementType(field))
      fields.append(.init(Name(field.name), isKey && !field.property.isOptional ? .nonNull(value) : value))
    }
    if fields.isEmpty { fields.append(.init("_isEmpty", "Boolean", description: "The class has no properties.")) }
    types.append(TypeDefinition(.inputObject, Name(model.derived[type.typeName, .input]), inputFields: fields))
  }

  private mutating func addEdit(of type: ClassModel) {
    let fields = type.fields.filter(\.isEditable).map { field in
      InputValueDefinition(Name(field.name), .named(Name(editType(of: field))))
    }
    types.append(
      TypeDefinition(
        .inputObject, Name(model.derived[type.typeName, .edit]),
        description: "One change of one collection.", directives: [Directive("oneOf")], inputFields: fields))
  }

  private mutating func editType(of field: FieldModel) -> String {
    let use: DerivedNames.Use =
      switch field.property.collection {
      case .single, .list: .listEdit
      case .set: .setEdit
      case .dictionary: .dictionaryEdit
      }
    let name = model.derived[base(field), use]
    guard edits.insert(name).inserted else { return name }
    let elements = TypeReference.nonNull(.list(elementOfEdit(field)))
    var fields: [InputValueDefinition]
    switch use {
    case .setEdit: fields = [.init("add", elements), .init("remove", elements)]
    case .dictionaryEdit: fields = [.init("put", elements), .init("remove", .list("String!"))]
    default:
      fields = [
        .init("insert", elements, description: "At `at`, or at the end."),
        .init("replace", elements, description: "From `at` on."),
        .init("remove", "Int", description: "So many elements from `at` on."),
        .init("move", "Int", description: "The element at `at` to this position."),
      ]
    }
    fields = fields.map { .init($0.name, $0.type.nullable, description: $0.description) }
    fields += [
      .init("assign", elements.nullable, description: "All elements."),
      .init("clear", "Boolean", description: "True removes all elements."),
    ]
    if use == .listEdit { fields.append(.init("at", "Int", description: "A position from 0.")) }
    types.append(TypeDefinition(.inputObject, Name(name), inputFields: fields))
    return name
  }

  /// Elements of an edit may be null where some property of the type has such elements.
  private func elementOfEdit(_ field: FieldModel) -> TypeReference {
    field.target == nil && field.property.collection != .dictionary ? inputValue(field) : elementType(field)
  }

  // MARK: Collections

  private mutating func addCollection(of type: ClassModel) {
    types.append(
      TypeDefinition(
        .object, Name(model.derived[type.typeName, .collection]),
        fields: [
          .init("count", "Int!", description: "How many objects match, whatever `skip` and `take` leave out."),
          .init("items", .list(.nonNull(.named(Name(type.typeName))))),
        ]))
  }

  private mutating func addChanges(of type: ClassModel) {
    let placed = Name(model.derived[type.typeName, .placed])
    types.append(
      TypeDefinition(
        .object, placed,
        fields: [.init("position", "Int!"), .init("object", .nonNull(.named(Name(type.typeName))))]))
    let list = TypeReference.nonNull(.list(.nonNull(.named(placed))))
    types.append(
      TypeDefinition(
        .object, Name(model.derived[type.typeName, .changes]),
        fields: [
          .init("isInitial", "Boolean!", description: "Whether everything is new: forget what was there before."),
          .init("count", "Int!", description: "How many objects there are now."),
          .init("deletions", .nonNull(.list("Int!")), description: "Positions before, ascending."),
          .init("insertions", list, description: "Positions now, ascending."),
          .init("modifications", list, description: "Positions now, ascending."),
          .init("token", "String!", description: "For `resumeFrom` of a later subscription."),
        ]))
  }

  // MARK: Roots

  private mutating func addRoots() {
    types.append(TypeDefinition(.object, "Query", fields: queryFields))
    guard !roots.queries.isEmpty else { return }
    types.append(TypeDefinition(.object, "Mutation", fields: mutationFields))
    types.append(TypeDefinition(.object, "Subscription", fields: subscriptionFields))
    if model.options.isQueryBased {
      let strings = ["name", "objectType", "query"]
      types.append(
        TypeDefinition(
          .object, "QueryBasedSubscription", fields: strings.map { .init(Name($0), "String!") }))
    }
  }

  private var queryFields: [FieldDefinition] {
    if roots.queries.isEmpty {
      return [.init("_isEmpty", "Boolean!", description: "The realm has no classes.")]
    }
    return roots.queries.map { name, field in
      switch field {
      case .objects(let type):
        FieldDefinition(
          Name(name),
          model.options.includesCount
            ? .named(Name(model.derived[type.typeName, .collection])) : .list(.nonNull(.named(Name(type.typeName)))),
          arguments: Self.collectionArguments + Self.after(type))
      case .object(let type):
        FieldDefinition(Name(name), .named(Name(type.typeName)), arguments: [key(of: type)])
      case .subscriptions:
        FieldDefinition(
          Name(name), .list("QueryBasedSubscription!"), arguments: [.init("name", "String")])
      }
    }
  }

  private var mutationFields: [FieldDefinition] {
    roots.mutations.map { name, field in
      switch field {
      case .create(let type):
        return FieldDefinition(
          Name(name), .named(Name(type.typeName)), arguments: [.init("input", .nonNull(input(type)))] + [Self.policy])
      case .createMany(let type):
        return FieldDefinition(
          Name(name), .list(.nonNull(.named(Name(type.typeName)))),
          arguments: [.init("input", .nonNull(.list(input(type))))] + [Self.policy])
      case .edit(let type):
        let edit = TypeReference.nonNull(.named(Name(model.derived[type.typeName, .edit])))
        return FieldDefinition(
          Name(name), .named(Name(type.typeName)),
          arguments: [key(of: type), .init("edits", .nonNull(.list(edit)))],
          description: "Changes collections of an object. Null when there is no such object.")
      case .delete(let type): return FieldDefinition(Name(name), "Boolean", arguments: [key(of: type)])
      case .deleteMany:
        return FieldDefinition(
          Name(name), "Int", arguments: Array(Self.collectionArguments.prefix(2)),
          description: "Deletes the objects that match, or all; the answer is their number.")
      case .subscribe(let type):
        return FieldDefinition(
          Name(name), .list(.nonNull(.named(Name(type.typeName)))),
          arguments: Self.collectionArguments + [.init("name", "String")])
      case .unsubscribe: return FieldDefinition(Name(name), "Boolean", arguments: [.init("name", "String!")])
      }
    }
  }

  private var subscriptionFields: [FieldDefinition] {
    roots.subscriptions.map { name, field in
      switch field {
      case .objects(let type):
        FieldDefinition(
          Name(name),
          model.options.includesCount
            ? .named(Name(model.derived[type.typeName, .collection])) : .list(.nonNull(.named(Name(type.typeName)))),
          arguments: Self.collectionArguments)
      case .changes(let type):
        FieldDefinition(
          Name(name), .nonNull(.named(Name(model.derived[type.typeName, .changes]))),
          arguments: Self.collectionArguments + [.init("resumeFrom", "String")])
      }
    }
  }

  private func input(_ type: ClassModel) -> TypeReference { .named(Name(model.derived[type.typeName, .input])) }

  private func key(of type: ClassModel) -> InputValueDefinition {
    let scalar = TypeReference.named(Name(type.keyScalar))
    return .init(Name(type.keyName), type.key?.property.isOptional == true ? scalar : .nonNull(scalar))
  }

  static let collectionArguments: [InputValueDefinition] = [
    .init(
      "query", "String", description: "A text of the query language, such as \"age > $0 AND name BEGINSWITH 'A'\"."),
    .init("arguments", .list("Mixed"), description: "The values of $0, $1, …"),
    .init("sortBy", "String", description: "A property, or a path of links that ends in one."),
    .init("descending", "Boolean", defaultValue: ValueLiteral(.boolean(false))),
    .init("skip", "Int", description: "How many objects to leave out."),
    .init("take", "Int", description: "How many objects to answer at most."),
  ]

  private static func after(_ type: ClassModel) -> [InputValueDefinition] {
    guard type.key != nil else { return [] }
    return [
      .init(
        "after", .named(Name(type.keyScalar)),
        description: "Only objects behind this primary key, in its order: the last of the page before.")
    ]
  }

  private static let policy = InputValueDefinition(
    "updatePolicy", "UpdatePolicy", defaultValue: ValueLiteral(.enumeration("NONE")))

  private static let updatePolicy = TypeDefinition(
    .enumeration, "UpdatePolicy",
    description: StringLiteral("What becomes of an object that has the primary key already."),
    values: [
      .init("NONE", description: "An error: nothing is changed."),
      .init("MODIFIED", description: "The properties that are given get their values, where these differ."),
      .init(
        "ALL", description: "The object becomes the input: properties that are not given get their initial values."),
    ])
}
