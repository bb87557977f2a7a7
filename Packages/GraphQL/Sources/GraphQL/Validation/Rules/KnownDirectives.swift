/// Directives exist, and stand where they may.
enum KnownDirectives: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.directives.flatMap { use in
      use.directives.compactMap { directive -> GraphQLError? in
        guard let definition = context.schema.directive(named: directive.name.text) else {
          return context.error("Unknown directive \"@\(directive.name.text)\".", directive.offset)
        }
        guard !definition.locations.contains(use.location) else { return nil }
        return context.error(
          "The directive \"@\(directive.name.text)\" may not be used on \(use.location.rawValue).", directive.offset)
      }
    }
  }
}
