import GraphQLTestSupport
import ByteCoding
import TestKit
import Testing

@testable import GraphQL

@Suite struct IntrospectionTests {
  private func answer(_ sdl: String, _ query: String) throws -> String {
    let service = GraphQLService(schema: try GraphQLSchema(parsing: sdl))
    return try service.prepare(GraphQLRequest(query)).executeSynchronously(.object(StubObject("Query"))).text
  }

  @Test(
    "fields of introspection show what the schema says",
    arguments: [
      (
        "{ __type(name: \"A\") { kind name description interfaces { name } fields { name } all: fields(includeDeprecated: true) { name isDeprecated deprecationReason type { kind ofType { kind ofType { name } } } } } }",
        #"{"data":{"__type":{"kind":"OBJECT","name":"A","description":"an A","interfaces":[{"name":"I"}],"fields":[{"name":"a"}],"all":[{"name":"a","isDeprecated":false,"deprecationReason":null,"type":{"kind":"NON_NULL","ofType":{"kind":"LIST","ofType":{"name":"Int"}}}},{"name":"old","isDeprecated":true,"deprecationReason":"gone","type":{"kind":"SCALAR","ofType":null}}]}}}"#
      ),
      (
        "{ __type(name: \"I\") { kind possibleTypes { name } } }",
        #"{"data":{"__type":{"kind":"INTERFACE","possibleTypes":[{"name":"A"},{"name":"Query"}]}}}"#
      ),
      (
        "{ __type(name: \"In\") { isOneOf inputFields { name defaultValue type { name } } } }",
        #"{"data":{"__type":{"isOneOf":false,"inputFields":[{"name":"x","defaultValue":"[1, 2]","type":{"name":null}}]}}}"#
      ),
      (
        "{ __type(name: \"E\") { enumValues { name } all: enumValues(includeDeprecated: true) { name deprecationReason } } }",
        #"{"data":{"__type":{"enumValues":[{"name":"ONE"}],"all":[{"name":"ONE","deprecationReason":null},{"name":"TWO","deprecationReason":"No longer supported"}]}}}"#
      ),
      (
        "{ __type(name: \"S\") { specifiedByURL fields { name } } }",
        #"{"data":{"__type":{"specifiedByURL":"https://example.org/s","fields":null}}}"#
      ),
      ("{ __type(name: \"Nothing\") { name } }", #"{"data":{"__type":null}}"#),
      (
        "{ __schema { description queryType { name } mutationType { name } subscriptionType { name } directives { name isRepeatable locations args { name } } } }",
        #"{"data":{"__schema":{"description":"about","queryType":{"name":"Query"},"mutationType":null,"subscriptionType":null,"directives":[{"name":"d","isRepeatable":true,"locations":["FIELD"],"args":[{"name":"a"}]},{"name":"include","isRepeatable":false,"locations":["FIELD","FRAGMENT_SPREAD","INLINE_FRAGMENT"],"args":[{"name":"if"}]},{"name":"skip","isRepeatable":false,"locations":["FIELD","FRAGMENT_SPREAD","INLINE_FRAGMENT"],"args":[{"name":"if"}]},{"name":"deprecated","isRepeatable":false,"locations":["FIELD_DEFINITION","ARGUMENT_DEFINITION","INPUT_FIELD_DEFINITION","ENUM_VALUE"],"args":[{"name":"reason"}]},{"name":"specifiedBy","isRepeatable":false,"locations":["SCALAR"],"args":[{"name":"url"}]},{"name":"oneOf","isRepeatable":false,"locations":["INPUT_OBJECT"],"args":[]}]}}}"#
      ),
    ])
  func fields(query: String, response: String) throws {
    let sdl = """
      "about" schema { query: Query }
      "an A" type A implements I { a: [Int]! old: Int @deprecated(reason: "gone") }
      interface I { a: [Int]! }
      input In { x: [Int] = [1, 2] y: Int @deprecated }
      enum E { ONE TWO @deprecated }
      scalar S @specifiedBy(url: "https://example.org/s")
      directive @d(a: In) repeatable on FIELD
      type Query implements I { a: [Int]! s: S e(in: In): E o: A }
      """
    #expect(try answer(sdl, query) == response)
  }

  @Test("the query of tools lists every type and field of random schemas without an error", arguments: Seeds.some(20))
  func fullQuery(seed: UInt64) throws {
    var generator = SchemaGenerator(seed: seed)
    let sdl = generator.text()
    let schema = try GraphQLSchema(parsing: sdl)
    let response = try JSONValue(parsing: try answer(sdl, IntrospectionQuery.text))
    #expect(response["errors"] == nil, "seed \(seed)")
    let types = response["data"]?["__schema"]?["types"]?.elements ?? []
    #expect(types.map { $0["name"]?.string } == schema.types.map { $0.name.text })
    for (shown, type) in zip(types, schema.types) where !type.fields.isEmpty {
      let names = (shown["fields"]?.elements ?? []).map { $0["name"]?.string }
      #expect(names == type.fields.map { $0.name.text })
    }
  }
}
