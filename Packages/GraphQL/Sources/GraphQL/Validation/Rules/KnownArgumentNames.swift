/// Arguments exist on the field or the directive that they are given to.
enum KnownArgumentNames: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    var errors: [GraphQLError] = []
    for use in context.fields where !use.field.arguments.isEmpty {
      guard let definition = use.definition, let parent = use.parent else { continue }
      let place = "field \"\(parent.name.text).\(use.field.name.text)\""
      errors += unknown(use.field.arguments, definition.arguments, place, context)
    }
    for directive in context.directives.flatMap(\.directives) {
      guard let definition = context.schema.directive(named: directive.name.text) else { continue }
      let place = "directive \"@\(directive.name.text)\""
      errors += unknown(directive.arguments, definition.arguments, place, context)
    }
    return errors
  }

  private static func unknown(
    _ arguments: [Argument], _ definitions: [InputValueDefinition], _ place: String, _ context: ValidationContext
  ) -> [GraphQLError] {
    let names = definitions.map(\.name.text)
    return arguments.filter { !names.contains($0.name.text) }.prefix(context.limits.errors).map {
      let hint = context.suggestion($0.name.text, among: names)
      return context.error("Unknown argument \"\($0.name.text)\" on \(place).\(hint)", $0.name.offset)
    }
  }
}
