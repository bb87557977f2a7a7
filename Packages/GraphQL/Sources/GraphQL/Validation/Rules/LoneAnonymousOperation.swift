/// An operation without a name is the only one.
enum LoneAnonymousOperation: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    guard context.operations.count > 1 else { return [] }
    return context.operations.filter { $0.name == nil }.map {
      context.error("An operation without a name must be the only operation of its document.", $0.offset)
    }
  }
}
