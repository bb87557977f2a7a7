/// A field of an input object is given once.
enum UniqueInputFieldNames: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.values.flatMap { duplicates($0.value) }.map { first, second in
      context.error("There is more than one input field named \"\(first.text)\".", first.offset, second.offset)
    }
  }

  private static func duplicates(_ value: ValueLiteral) -> [(first: Name, second: Name)] {
    switch value.kind {
    case .list(let elements): elements.flatMap(duplicates)
    case .object(let fields):
      UniqueOperationNames.duplicates(fields.map(\.name)) + fields.flatMap { duplicates($0.value) }
    case .variable, .int, .float, .string, .boolean, .null, .enumeration: []
    }
  }
}
