/// No two operations have one name.
enum UniqueOperationNames: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    duplicates(context.operations.compactMap(\.name)).map { first, second in
      context.error("There is more than one operation named \"\(first.text)\".", first.offset, second.offset)
    }
  }

  /// Each name that was there before, with the first of its kind.
  static func duplicates(_ names: [Name]) -> [(first: Name, second: Name)] {
    guard names.count > 1 else { return [] }
    var seen: [String: Name] = [:]
    var found: [(first: Name, second: Name)] = []
    for name in names {
      if let first = seen[name.text] { found.append((first, name)) } else { seen[name.text] = name }
    }
    return found
  }
}
