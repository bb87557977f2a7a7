/// Types that variables and fragments name are in the schema.
enum KnownTypeNames: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    let named =
      context.operations.flatMap { $0.variables.map(\.type.name) } + context.fragments.map(\.typeCondition)
      + context.inlines.compactMap(\.fragment.typeCondition)
    return named.filter { context.schema.type(named: $0.text) == nil }.map { name in
      let hint = context.suggestion(name.text, among: context.schema.types.map(\.name.text))
      return context.error("Unknown type \"\(name.text)\".\(hint)", name.offset)
    }
  }
}
