import ByteCoding
import Testing

@testable import GraphQL

/// Crafted documents end with an error that names the bound, in time proportional to the bound.
@Suite struct BoundTests {
  private func refusal(_ text: String, _ change: (inout GraphQLLimits) -> Void = { _ in }) throws -> GraphQLError? {
    var limits = GraphQLLimits()
    change(&limits)
    let schema = try GraphQLSchema(parsing: DogSchema.text)
    do {
      let service = GraphQLService(schema: schema, limits: limits)
      _ = try service.prepare(GraphQLRequest(text))
      return nil
    } catch { return error.errors.first }
  }

  private func bound(_ error: GraphQLError?) -> String? {
    error?.extensions.first { $0.name == "bound" }?.value.string
  }

  @Test("a document of too many bytes is refused")
  func documentBytes() throws {
    #expect(bound(try refusal("{ dog { name } }", { $0.documentBytes = 10 })) == "documentBytes")
  }

  @Test("a document of too many tokens is refused")
  func tokens() throws {
    #expect(bound(try refusal("{ dog { name } }", { $0.tokens = 4 })) == "tokens")
  }

  @Test(
    "braces, brackets and fragments count as depth",
    arguments: [
      String(repeating: "{ dog ", count: 100), "{ args { stamp(value: " + String(repeating: "[", count: 10_000),
      "query ($a: " + String(repeating: "[", count: 10_000),
      "{ dog { ...F0 } } "
        + (0..<80).map { "fragment F\($0) on Dog { mother { \($0 < 79 ? "...F\($0 + 1)" : "name") } } " }.joined(),
      (0..<300).map { "fragment F\($0) on Dog { \($0 < 299 ? "...F\($0 + 1)" : "name") } " }.joined()
        + "{ dog { ...F0 } }",
      // Fragments that no operation reaches, each after those that it spreads.
      "{ dog { name } } "
        + (0..<300).reversed().map { "fragment F\($0) on Dog { \($0 < 299 ? "...F\($0 + 1)" : "name") } " }.joined(),
    ])
  func depth(text: String) throws {
    #expect(bound(try refusal(text)) == "depth")
  }

  @Test("aliases of fragments count at each spread")
  func aliases() throws {
    let text =
      "{ dog { ...F0 } } "
      + (0..<10).map {
        "fragment F\($0) on Dog { a\($0): mother { ...F\($0 + 1) } b\($0): mother { ...F\($0 + 1) } } "
      }.joined() + "fragment F10 on Dog { c: name }"
    let error = try refusal(text)
    #expect(bound(error) == "aliases")
    #expect(error?.message == "The operation has 3070 aliases, more than 1000.")
  }

  @Test("fragments that double at each level are refused by their cost")
  func complexity() throws {
    let text =
      "{ dog { ...F0 } } "
      + (0..<40).map { "fragment F\($0) on Dog { mother { ...F\($0 + 1) } puppies { ...F\($0 + 1) } } " }.joined()
      + "fragment F40 on Dog { name }"
    #expect(bound(try refusal(text, { $0.depth = 200 })) == "complexity")
  }

  @Test("costs of fields are the caller's")
  func fieldCost() throws {
    let text = "{ dog { puppies { name } } }"
    let schema = try GraphQLSchema(parsing: DogSchema.text)
    var limits = GraphQLLimits()
    limits.fieldCost = { 1 + ($0.definition.type.element == nil ? 1 : 100) * $0.selectionCost }
    let operation = try GraphQLService(schema: schema, limits: limits).prepare(GraphQLRequest(text))
    #expect(operation.complexity == 102)
  }

  @Test("thousands of equal fields are compared in linear time")
  func equalFields() throws {
    let text = "{ dog { " + String(repeating: "name ", count: 15_000) + "} }"
    #expect(try refusal(text) == nil)
  }

  @Test("sets of fields that multiply are refused")
  func mergingSteps() throws {
    // Each level chooses one of two fragments per response name, so each path merges another set of fields.
    let levels = 16
    var text = "{ dog { ...A0 ...B0 } } "
    for level in 0..<levels {
      let next = level + 1
      text +=
        "fragment A\(level) on Dog { mother { ...A\(next) } puppies { ...B\(next) } owner { relatives { name } } } "
      text += "fragment B\(level) on Dog { mother { ...B\(next) ...C\(next) } puppies { ...A\(next) } } "
      text += "fragment C\(level) on Dog { mother { ...C\(next) } puppies { ...C\(next) ...A\(next) } } "
    }
    text +=
      "fragment A\(levels) on Dog { name } fragment B\(levels) on Dog { nickname } fragment C\(levels) on Dog { iq } "
    text += "fragment U on Dog { ...C0 } query Other { dog { ...U } }"
    let error = try refusal("query Main " + text) { limits in
      limits.mergingSteps = 2_000
      limits.complexity = .max
    }
    #expect(bound(error) == "mergingSteps")
  }

  @Test("no more errors are listed than the bound")
  func errors() throws {
    let text = "{ dog { " + (0..<500).map { "z\($0) " }.joined() + "} }"
    #expect(try DogSchema.errors(text).count == 101)
  }

  @Test("suggestions can be turned off")
  func suggestions() throws {
    let schema = try GraphQLSchema(parsing: DogSchema.text)
    let document = try GraphQLDocument(parsing: "{ dgo pet { nickname } args { command(value: SAT) int(vlaue: 1) } }")
    let errors = document.validate(against: schema, suggestsNames: false)
    #expect(errors.count == 4)
    #expect(errors.filter { $0.message.contains("Did you mean") } == [])
  }
}
