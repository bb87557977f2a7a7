/// Variables have types of arguments.
enum VariablesAreInputTypes: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.operations.flatMap(\.variables).filter {
      context.schema.type(named: $0.type.name.text)?.kind.isInput == false
    }.map {
      context.error(
        "The variable \"$\($0.name.text)\" cannot have the output type \"\($0.type)\".", $0.type.name.offset)
    }
  }
}
