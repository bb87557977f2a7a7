import GraphQL

/// Documents and schemas with every construct of the language.
func graphQLCorpus() -> [[UInt8]] {
  [
    "query Q($a: Int = 1 @tag(n: \"x\"), $b: [In!]!) @on { a: dog(x: $a, y: [1.5e3, {k: null}]) @skip(if: true) { ...F } }",
    "fragment F on Dog { name ... on Pet { mother { mother { name } } } ... @include(if: $c) { puppies { name } } }",
    "\"\"\"\n  A \\\"\"\" block\n    string\n\"\"\" subscription { changed(text: \"\\u00e9\\u{1F600}\\uD83D\\uDE00\\n\") { name } }",
    "mutation M { add(input: {name: \"Rex\", mood: GOOD, tags: []}) { name } } # a comment\n{ __schema { types { name } } }",
    graphQLSchemaText,
    "extend type Dog @d { more(a: Int! = 3 \"text\" b: In): [Dog!]! } extend union U = Dog extend enum E { C } extend schema { query: Dog }",
    "directive @d(a: [Int!] = [1]) repeatable on FIELD | OBJECT input One @oneOf { a: Int b: One } scalar S @specifiedBy(url: \"u\")",
  ].map { Array($0.utf8) }
}

/// The schema that damaged documents are validated against.
let graphQLSchema = try? GraphQLSchema(parsing: graphQLSchemaText)

private let graphQLSchemaText = """
  schema { query: Query mutation: Mutation subscription: Subscription }
  interface Pet { name: String mother: Pet }
  type Dog implements Pet { name: String mother: Dog puppies: [Dog!]! }
  union U = Dog | Query
  enum E { A B @deprecated(reason: "old") }
  input In { name: String! mood: E = A tags: [String] k: Int }
  type Query { dog(x: Int, y: [In]): Dog any: U }
  type Mutation { add(input: In): Dog }
  type Subscription { changed(text: String): Dog }
  """
