/// A directive stands once at a place, unless it is repeatable.
enum UniqueDirectivesPerLocation: ValidationRule {
  static func check(_ context: ValidationContext) -> [GraphQLError] {
    context.directives.flatMap { use -> [GraphQLError] in
      guard use.directives.count > 1 else { return [] }
      var seen: [String: SourceOffset] = [:]
      return use.directives.compactMap { directive in
        let name = directive.name.text
        guard let definition = context.schema.directive(named: name), !definition.isRepeatable else { return nil }
        guard let first = seen[name] else {
          seen[name] = directive.offset
          return nil
        }
        return context.error("The directive \"@\(name)\" can only be used once at this place.", first, directive.offset)
      }
    }
  }
}
