/// The schema has a root type for every operation.
enum KnownOperationTypes: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.operations.filter { context.schema.rootType(of: $0.kind) == nil }.map {
      context.error("The schema has no \($0.kind.rawValue)s.", $0.offset)
    }
  }
}
