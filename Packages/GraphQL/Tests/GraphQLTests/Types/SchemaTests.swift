import Testing

@testable import GraphQL

@Suite struct SchemaTests {
  private func errors(_ text: String) -> [String] {
    do throws(GraphQLSchemaError) {
      _ = try GraphQLSchema(parsing: text)
      return []
    } catch { return error.errors.map(\.description) }
  }

  @Test(
    "a schema that breaks a rule is refused with the place and the rule",
    arguments: [
      ("type A { a: Int }", "A schema needs a root type for queries."),
      ("type Query { a: Nothing }", "1:17: Unknown type \"Nothing\"."),
      ("schema { query: Nothing } type A { a: Int }", "1:17: Unknown type \"Nothing\"."),
      ("schema { query: A mutation: A } type A { a: Int }", "1:29: \"A\" is the root of both query and mutation."),
      ("interface Query { a: Int }", "The root type \"Query\" of query is not an object type."),
      ("type Query", "1:1: The type \"Query\" has no fields."),
      ("type Query { a: Int a: Int }", "1:14: \"Query\" has more than one field \"a\"."),
      ("type Query { a: Int } type A { a: Int } type A { b: Int }", "1:28: There is more than one type named \"A\"."),
      (
        "type Query { __a: Int }",
        "1:14: The field \"__a\" begins with two underscores, which introspection has for itself."
      ),
      ("type Query { a: I } input I { a: Int }", "1:17: The field \"Query.a\" has the input type \"I\"."),
      ("type Query { a(b: Query): Int }", "1:19: \"Query.a.b\" has the output type \"Query\"."),
      ("type Query { a(b: Int = \"1\"): Int }", "1:25: Expected a value of type \"Int\", found \"1\"."),
      ("type Query { a(b: Int! @deprecated): Int }", "1:16: \"Query.a.b\" is required, so it cannot be deprecated."),
      ("type Query { a: Int } union U", "1:23: The union \"U\" has no members."),
      ("type Query { a: Int } union U = Int", "1:33: The union \"U\" includes \"Int\", which is not an object type."),
      ("type Query { a: Int } union U = Query | Query", "1:33: \"U\" has more than one member \"Query\"."),
      ("type Query { a: Int } enum E", "1:23: The enumeration \"E\" has no values."),
      ("type Query { a: Int } input I", "1:23: The input \"I\" has no fields."),
      (
        "type Query { a: Int } input I { i: J! } input J { i: I! }",
        "1:51: The input \"I\" needs itself through \"J.i\"."
      ),
      (
        "type Query { a: Int } input I @oneOf { i: Int! }",
        "1:40: The field \"I.i\" of a oneOf input must have null and no default."
      ),
      ("type Query implements Query { a: Int }", "1:23: \"Query\" implements \"Query\", which is not an interface."),
      ("type Query implements I { a: Int } interface I { b: Int }", "1:6: \"Query\" has no field for \"I.b\"."),
      (
        "type Query implements I { a: Int } interface I { a: String }",
        "1:27: \"Query.a\" has type \"Int\", but \"I.a\" has \"String\"."
      ),
      (
        "type Query implements I { a: Int } interface I { a(b: Int): Int }",
        "1:27: \"Query.a\" has no argument \"b\", but \"I.a\" has."
      ),
      (
        "type Query implements I { a(b: Int!): Int } interface I { a: Int }",
        "1:29: \"Query.a\" requires the argument \"b\", which \"I.a\" does not have."
      ),
      (
        "type Query implements J { a: Int } interface I { a: Int } interface J implements I { a: Int }",
        "1:23: \"Query\" must implement \"I\", because \"J\" does."
      ),
      ("type Query { a: Int } interface I implements I { a: Int }", "1:46: \"I\" cannot implement itself."),
      ("type Query { a: Int @nothing }", "1:21: Unknown directive \"@nothing\"."),
      ("type Query @deprecated { a: Int }", "1:12: The directive \"@deprecated\" may not be used on OBJECT."),
      (
        "type Query { a: Int @deprecated @deprecated }",
        "1:33: The directive \"@deprecated\" can only be used once at this place."
      ),
      ("type Query { a: Int @deprecated(why: 1) }", "1:33: Unknown argument \"why\" on directive \"@deprecated\"."),
      (
        "type Query { a: Int } scalar S @specifiedBy",
        "1:32: The directive \"@specifiedBy\" needs the argument \"url\" of type \"String!\"."
      ),
      ("type Query { a: Int } extend type A { b: Int }", "1:35: The type \"A\" is extended but not defined."),
      ("type Query { a: Int } extend input Query { b: Int }", "1:6: \"Query\" is not extended as the kind that it is."),
      (
        "type Query { a: Int } directive @d on FIELD directive @d on FIELD",
        "1:34: There is more than one directive named \"@d\"."
      ),
      ("type Query { a: Int } { a }", "1:23: A schema holds no operations."),
      ("type Query {", "1:13: Syntax error: expected a name, found the end of the document."),
    ])
  func refusals(text: String, error: String) {
    #expect(errors(text) == [error])
  }

  @Test("extensions are merged into what they extend")
  func extensions() throws {
    let schema = try GraphQLSchema(
      parsing:
        "type Q { a: E } extend type Q implements I { b: Int } interface I { b: Int } enum E { A } extend enum E { B } schema { query: Q } extend schema { mutation: M } type M { a: U } union U = Q extend union U = M"
    )
    #expect(
      schema.description == """
        schema {
          query: Q
          mutation: M
        }

        type Q implements I {
          a: E
          b: Int
        }

        interface I {
          b: Int
        }

        enum E {
          A
          B
        }

        type M {
          a: U
        }

        union U = Q | M
        """)
  }

  @Test("a schema made in code is checked like one of a text")
  func made() throws {
    let query = TypeDefinition(
      .object, "Query", fields: [FieldDefinition("a b", "Int"), FieldDefinition("c", "Nothing")])
    let error = #expect(throws: GraphQLSchemaError.self) { try GraphQLSchema(types: [query], roots: [.query: "Query"]) }
    #expect(
      error?.description
        == "\"a b\" is not a name: names consist of letters, digits and underscores.\nUnknown type \"Nothing\".")
    let schema = try GraphQLSchema(
      types: [TypeDefinition(.object, "Root", fields: [FieldDefinition("a", "Int!")])], roots: [.query: "Root"],
      description: StringLiteral("made"))
    #expect(schema.description == "\"made\"\nschema {\n  query: Root\n}\n\ntype Root {\n  a: Int!\n}")
  }

  @Test("custom scalars check arguments, variables and results")
  func scalars() async throws {
    let even = ScalarType(
      input: { $0.int.map { $0 % 2 == 0 } == true ? $0 : nil },
      output: { if case .int(let value) = $0, value % 2 == 0 { $0 } else { nil } })
    let schema = try GraphQLSchema(parsing: "scalar Even type Query { half(of: Even): Even }", scalars: ["Even": even])
    let service = GraphQLService(schema: schema)
    let root = StubObject("Query", computed: ["half": { .int(($0.arguments["of"]?.int ?? 0) / 2) }])
    func answer(_ text: String) async -> GraphQLResponse {
      await service.execute(GraphQLRequest(text), roots: GraphQLRoots(query: root))
    }
    #expect(await answer("{ half(of: 8) }").text == #"{"data":{"half":4}}"#)
    #expect(await answer("{ half(of: 3) }").errors.map(\.message) == ["Expected a value of type \"Even\", found 3."])
    #expect(await answer("{ half(of: 6) }").errors.map(\.message) == ["\"Even\" cannot represent 3."])
  }
}
