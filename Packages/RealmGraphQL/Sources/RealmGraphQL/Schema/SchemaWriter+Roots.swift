import DataModel
import GraphQL

/// The types of queries, mutations and subscriptions.
extension SchemaWriter {
  mutating func addRoots() {
    types.append(TypeDefinition(.object, "Query", fields: queryFields))
    // A type without fields is none: a realm without classes has nothing to change or to follow.
    if !roots.mutations.isEmpty { types.append(TypeDefinition(.object, "Mutation", fields: mutationFields)) }
    if !roots.subscriptions.isEmpty {
      types.append(TypeDefinition(.object, "Subscription", fields: subscriptionFields))
    }
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
          Name(name), collection(of: type), arguments: Self.collectionArguments + Self.after(type))
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
        FieldDefinition(Name(name), collection(of: type), arguments: Self.collectionArguments)
      case .changes(let type):
        FieldDefinition(
          Name(name), .nonNull(.named(Name(model.derived[type.typeName, .changes]))),
          arguments: Self.collectionArguments + [.init("resumeFrom", "String")])
      }
    }
  }

  /// The objects of a class: with their number, if the options say so.
  func collection(of type: ClassModel) -> TypeReference {
    model.options.includesCount
      ? .named(Name(model.derived[type.typeName, .collection])) : .list(.nonNull(.named(Name(type.typeName))))
  }

  private func input(_ type: ClassModel) -> TypeReference { .named(Name(model.derived[type.typeName, .input])) }

  private func key(of type: ClassModel) -> InputValueDefinition {
    let scalar = TypeReference.named(Name(type.keyScalar))
    return .init(Name(type.keyName), type.key?.property.isOptional == true ? scalar : .nonNull(scalar))
  }

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

  static let updatePolicy = TypeDefinition(
    .enumeration, "UpdatePolicy",
    description: StringLiteral("What becomes of an object that has the primary key already."),
    values: [
      .init("NONE", description: "An error: nothing is changed."),
      .init("MODIFIED", description: "The properties that are given get their values, where these differ."),
      .init(
        "ALL", description: "The object becomes the input: properties that are not given get their initial values."),
    ])
}
