/// Arguments without null and without a default are given.
enum ProvidedRequiredArguments: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    var errors: [GraphQLError] = []
    for use in context.fields {
      guard let definition = use.definition, !definition.arguments.isEmpty else { continue }
      let place = "field \"\(use.field.name.text)\""
      errors += missing(use.field.arguments, definition.arguments, place, use.field.offset, context)
    }
    for directive in context.directives.flatMap(\.directives) {
      guard let definition = context.schema.directive(named: directive.name.text) else { continue }
      let place = "directive \"@\(directive.name.text)\""
      errors += missing(directive.arguments, definition.arguments, place, directive.offset, context)
    }
    return errors
  }

  private static func missing(
    _ arguments: [Argument], _ definitions: [InputValueDefinition], _ place: String, _ offset: SourceOffset,
    _ context: ValidationContext
  ) -> [GraphQLError] {
    definitions.filter { $0.isRequired && arguments.value(named: $0.name.text) == nil }.map {
      context.error(
        "The argument \"\($0.name.text)\" of type \"\($0.type)\" is required on \(place), but was not given.", offset)
    }
  }
}
