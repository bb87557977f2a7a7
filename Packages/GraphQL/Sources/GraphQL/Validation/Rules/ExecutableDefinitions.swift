/// A document to run holds operations and fragments only.
enum ExecutableDefinitions: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.document.definitions.compactMap { definition in
      switch definition {
      case .operation, .fragment: nil
      case .schema(let schema): context.error("The definition of a schema cannot run.", schema.offset)
      case .type(let type): context.error("The definition of \"\(type.name.text)\" cannot run.", type.offset)
      case .directive(let directive):
        context.error("The definition of \"@\(directive.name.text)\" cannot run.", directive.offset)
      }
    }
  }
}
