/// An argument is given once.
enum UniqueArgumentNames: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    let lists = context.fields.map(\.field.arguments) + context.directives.flatMap { $0.directives.map(\.arguments) }
    return lists.flatMap { UniqueOperationNames.duplicates($0.map(\.name)) }.map { first, second in
      context.error("There is more than one argument named \"\(first.text)\".", first.offset, second.offset)
    }
  }
}
