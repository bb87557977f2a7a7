/// Every fragment is spread by some operation, directly or not.
enum NoUnusedFragments: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    var used: Set<String> = []
    for operation in context.operations.indices {
      for fragment in context.fragmentsReached(from: operation) { used.insert(context.fragments[fragment].name.text) }
    }
    return context.fragments.filter { !used.contains($0.name.text) }.map {
      context.error("The fragment \"\($0.name.text)\" is never used.", $0.offset)
    }
  }
}
