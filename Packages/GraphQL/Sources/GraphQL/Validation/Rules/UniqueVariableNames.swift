/// No two variables of an operation have one name.
enum UniqueVariableNames: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.operations.flatMap { UniqueOperationNames.duplicates($0.variables.map(\.name)) }.map { first, second in
      context.error("There is more than one variable named \"$\(first.text)\".", first.offset, second.offset)
    }
  }
}
