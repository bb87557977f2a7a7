import DataModel
import GraphQL

/// The types of collections and of changes, and their arguments.
extension SchemaWriter {
  mutating func addCollection(of type: ClassModel) {
    types.append(
      TypeDefinition(
        .object, Name(model.derived[type.typeName, .collection]),
        fields: [
          .init("count", "Int!", description: "How many objects match, whatever `skip` and `take` leave out."),
          .init("items", .list(.nonNull(.named(Name(type.typeName))))),
        ]))
  }

  mutating func addChanges(of type: ClassModel) {
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

  static let collectionArguments: [InputValueDefinition] = [
    .init(
      "query", "String", description: "A text of the query language, such as \"age > $0 AND name BEGINSWITH 'A'\"."),
    .init("arguments", .list("Mixed"), description: "The values of $0, $1, …"),
    .init("sortBy", "String", description: "A property, or a path of links that ends in one."),
    .init("descending", "Boolean", defaultValue: ValueLiteral(.boolean(false))),
    .init("skip", "Int", description: "How many objects to leave out."),
    .init("take", "Int", description: "How many objects to answer at most."),
  ]
}
