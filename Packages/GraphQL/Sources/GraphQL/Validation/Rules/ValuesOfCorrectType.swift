/// Literals have the types of the places where they stand.
enum ValuesOfCorrectType: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    var errors: [GraphQLError] = []
    for use in context.values {
      guard let type = use.type else { continue }
      var check = LiteralCheck(schema: context.schema, suggests: context.suggestsNames)
      check.check(use.value, type)
      errors += check.problems.map { context.error($0.message, $0.offset) }
      if errors.count >= context.limits.errors { break }
    }
    return errors
  }
}
