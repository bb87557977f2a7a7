extension SchemaCheck {
  /// Directives of a schema are known, stand where they may, and have the arguments that they take.
  mutating func checkDirectives(_ directives: [Directive], _ location: DirectiveLocation) {
    var seen: Set<String> = []
    for directive in directives {
      let name = directive.name.text
      guard let definition = schema.directive(named: name) else {
        fail("Unknown directive \"@\(name)\".", directive.offset)
        continue
      }
      if !definition.locations.contains(location) {
        fail("The directive \"@\(name)\" may not be used on \(location.rawValue).", directive.offset)
      }
      if !seen.insert(name).inserted, !definition.isRepeatable {
        fail("The directive \"@\(name)\" can only be used once at this place.", directive.offset)
      }
      checkArguments(of: directive, definition)
    }
  }

  private mutating func checkArguments(of directive: Directive, _ definition: DirectiveDefinition) {
    let name = directive.name.text
    var given: Set<String> = []
    for argument in directive.arguments {
      if !given.insert(argument.name.text).inserted {
        fail("There is more than one argument \"\(argument.name.text)\".", argument.name.offset)
      }
      if let known = definition.arguments.first(where: { $0.name == argument.name }) {
        checkLiteral(argument.value, known.type)
      } else {
        fail("Unknown argument \"\(argument.name.text)\" on directive \"@\(name)\".", argument.name.offset)
      }
    }
    for argument in definition.arguments where argument.isRequired && !given.contains(argument.name.text) {
      fail(
        "The directive \"@\(name)\" needs the argument \"\(argument.name.text)\" of type \"\(argument.type)\".",
        directive.offset)
    }
  }
}
