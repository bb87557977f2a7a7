extension GraphQLSchema: CustomStringConvertible {
  /// The schema in the schema definition language, without what every schema has.
  public var description: String {
    var definitions: [GraphQLDocument.Definition] = []
    if let schema = definitionOfRoots { definitions.append(.schema(schema)) }
    definitions += directives.filter { !BuiltIn.directiveNames.contains($0.name.text) }.map { .directive($0) }
    definitions += types.filter { !BuiltIn.typeNames.contains($0.name.text) }.map { .type($0) }
    return GraphQLDocument(source: SourceText(bytes: []), definitions: definitions).description
  }

  /// The `schema { … }` of the schema; nil when the names of the roots say the same.
  private var definitionOfRoots: SchemaDefinition? {
    let usual: [OperationKind: String] = [.query: "Query", .mutation: "Mutation", .subscription: "Subscription"]
    let isImplied = OperationKind.allCases.allSatisfy { kind in
      rootType(of: kind).map { $0.name.text == usual[kind] } ?? (type(named: usual[kind] ?? "") == nil)
    }
    guard schemaDescription != nil || !isImplied else { return nil }
    return SchemaDefinition(
      description: schemaDescription, directives: [],
      roots: OperationKind.allCases.compactMap { kind in
        rootType(of: kind).map { SchemaDefinition.Root(kind: kind, type: $0.name, offset: .none) }
      }, isExtension: false, offset: .none)
  }
}
