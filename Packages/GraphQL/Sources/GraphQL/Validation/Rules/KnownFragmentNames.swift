/// Spread fragments exist.
enum KnownFragmentNames: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.spreads.filter { context.fragmentIndex[$0.spread.name.text] == nil }.map {
      context.error("Unknown fragment \"\($0.spread.name.text)\".", $0.spread.name.offset)
    }
  }
}
