/// No two fragments have one name.
enum UniqueFragmentNames: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    UniqueOperationNames.duplicates(context.fragments.map(\.name)).map { first, second in
      context.error("There is more than one fragment named \"\(first.text)\".", first.offset, second.offset)
    }
  }
}
