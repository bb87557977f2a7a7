import ByteCoding
import Testing

@testable import GraphQL

/// One row per behaviour of section 6 of the specification: a document, and the response to it.
struct ExecutionCase: CustomTestStringConvertible, Sendable {
  var document: String
  var variables: String
  var response: String

  init(_ document: String, variables: String = "null", _ response: String) {
    self.document = document
    self.variables = variables
    self.response = response
  }

  var testDescription: String { document }
}

private let text = """
  interface Named { name: String }
  type Person implements Named { name: String age: Int! friend: Person best: Person! friends: [Person] close: [Person!] closest: [Person!]! }
  type Robot implements Named { name: String serial: ID }
  union Any = Person | Robot
  enum Mood { GOOD BAD }
  scalar Blob
  input Point { x: Int! y: Int = 7 }
  input One @oneOf { a: Int b: String }
  type Query {
    person: Person
    nobody: Person
    fails: Int
    failsNonNull: Int!
    named: [Named]
    any: Any
    wrong: Named
    outside: Any
    mood: Mood
    badMood: Mood
    numbers: [Int]
    matrix: [[Int!]]
    big: Int
    half: Float
    blob: Blob
    text: String
    id: ID
    notAList: [Int]
    echo(int: Int, text: String = "d", list: [Int], point: Point, mood: Mood, one: One, float: Float, id: ID, flag: Boolean): String
    need(value: Int!): Int
    unset: String
  }
  type Mutation { step(n: Int!): Int need: Int! }
  """

private let ada = StubObject(
  "Person",
  [
    "name": .string("Ada \"A\""), "age": .int(36), "friend": .object(StubObject("Person", ["name": .string("Bob")])),
    "best": .object(StubObject("Person", ["name": .string("Cy")])),
    "friends": .list([
      .object(StubObject("Person", ["name": .string("Bob"), "age": .int(1)])), .null,
      .object(StubObject("Person", ["name": .string("No age")])), .failure(Boom()),
    ]),
    "close": .list([.object(StubObject("Person", ["age": .int(2)])), .object(StubObject("Person"))]),
    "closest": .list([.null]),
  ])

private let root = StubObject(
  "Query",
  [
    "person": .object(ada), "failsNonNull": .failure(Boom()),
    "named": .list([.object(ada), .object(StubObject("Robot", ["name": .string("R2"), "serial": .int(2)]))]),
    "any": .object(StubObject("Robot", ["serial": .string("x")])), "wrong": .object(StubObject("Query")),
    "outside": .object(StubObject("Nothing")),
    "mood": .string("GOOD"), "badMood": .string("UGLY"), "numbers": .list([.int(1), .null, .string("x")]),
    "matrix": .list([.list([.int(1), .int(2)]), .list([.int(3), .null]), .null]), "big": .int(3_000_000_000),
    "half": .double(0.5), "blob": .json(.object([("a", .array([.null]))])), "text": .int(5), "id": .int(9),
    "notAList": .int(1),
  ],
  computed: [
    "fails": { _ in throw GraphQLError("no", code: "NO") },
    "echo": { call in
      .string(GraphQLValue.object(call.arguments.sorted { $0.key < $1.key }.map { .init($0, $1) }).json.text)
    },
    "need": { call in .int(call.arguments["value"]?.int ?? -1) },
  ])

private func respond(_ row: ExecutionCase) async throws -> String {
  let service = GraphQLService(schema: try GraphQLSchema(parsing: text))
  let variables = try JSONValue(parsing: row.variables)
  return await service.execute(GraphQLRequest(row.document, variables: variables), roots: GraphQLRoots(query: root))
    .text
}

@Test("responses follow section 6 of the specification", arguments: valueRows + nullRows + selectionRows + argumentRows)
func execution(_ row: ExecutionCase) async throws {
  let found = try await respond(row)
  #expect(found == row.response)
}

private let valueRows: [ExecutionCase] = [
  ExecutionCase(
    "{ mood half text id blob }", #"{"data":{"mood":"GOOD","half":0.5,"text":"5","id":"9","blob":{"a":[null]}}}"#),
  ExecutionCase("{ unset nobody { name } }", #"{"data":{"unset":null,"nobody":null}}"#),
  ExecutionCase(
    "{ big }",
    #"{"data":{"big":null},"errors":[{"message":"\"Int\" cannot represent 3000000000.","locations":[{"line":1,"column":3}],"path":["big"]}]}"#
  ),
  ExecutionCase(
    "{ badMood }",
    #"{"data":{"badMood":null},"errors":[{"message":"\"Mood\" cannot represent \"UGLY\".","locations":[{"line":1,"column":3}],"path":["badMood"]}]}"#
  ),
  ExecutionCase(
    "{ numbers }",
    #"{"data":{"numbers":[1,null,null]},"errors":[{"message":"\"Int\" cannot represent \"x\".","locations":[{"line":1,"column":3}],"path":["numbers",2]}]}"#
  ),
  ExecutionCase(
    "{ notAList }",
    #"{"data":{"notAList":null},"errors":[{"message":"Expected a list for \"Query.notAList\".","locations":[{"line":1,"column":3}],"path":["notAList"]}]}"#
  ),
  ExecutionCase(
    "{ matrix }",
    #"{"data":{"matrix":[[1,2],null,null]},"errors":[{"message":"\"Query.matrix\" of type \"[[Int!]]\" has no value.","locations":[{"line":1,"column":3}],"path":["matrix",1,1]}]}"#
  ),
]

private let nullRows: [ExecutionCase] = [
  ExecutionCase(
    "{ fails mood }",
    #"{"data":{"fails":null,"mood":"GOOD"},"errors":[{"message":"no","locations":[{"line":1,"column":3}],"path":["fails"],"extensions":{"code":"NO"}}]}"#
  ),
  ExecutionCase(
    "{ mood failsNonNull }",
    #"{"data":null,"errors":[{"message":"boom","locations":[{"line":1,"column":8}],"path":["failsNonNull"]}]}"#),
  ExecutionCase(
    "{ person { name friend { name age } } }",
    #"{"data":{"person":{"name":"Ada \"A\"","friend":null}},"errors":[{"message":"\"Person.age\" of type \"Int!\" has no value.","locations":[{"line":1,"column":31}],"path":["person","friend","age"]}]}"#
  ),
  ExecutionCase(
    "{ person { name best { age } } mood }",
    #"{"data":{"person":null,"mood":"GOOD"},"errors":[{"message":"\"Person.age\" of type \"Int!\" has no value.","locations":[{"line":1,"column":24}],"path":["person","best","age"]}]}"#
  ),
  ExecutionCase(
    "{ person { friends { a: age } } }",
    #"{"data":{"person":{"friends":[{"a":1},null,null,null]}},"errors":[{"message":"\"Person.age\" of type \"Int!\" has no value.","locations":[{"line":1,"column":22}],"path":["person","friends",2,"a"]},{"message":"boom","locations":[{"line":1,"column":12}],"path":["person","friends",3]}]}"#
  ),
  ExecutionCase(
    "{ person { close { age } } }",
    #"{"data":{"person":{"close":null}},"errors":[{"message":"\"Person.age\" of type \"Int!\" has no value.","locations":[{"line":1,"column":20}],"path":["person","close",1,"age"]}]}"#
  ),
  ExecutionCase(
    "{ person { closest { age } } }",
    #"{"data":{"person":null},"errors":[{"message":"\"Person.closest\" of type \"[Person!]!\" has no value.","locations":[{"line":1,"column":12}],"path":["person","closest",0]}]}"#
  ),
]

private let selectionRows: [ExecutionCase] = [
  ExecutionCase("{ }", #"{"data":{}}"#),
  ExecutionCase("{ b: mood a: mood mood b: mood }", #"{"data":{"b":"GOOD","a":"GOOD","mood":"GOOD"}}"#),
  ExecutionCase(
    "{ person { name } ...F } fragment F on Query { mood person { age name } }",
    #"{"data":{"person":{"name":"Ada \"A\"","age":36},"mood":"GOOD"}}"#),
  ExecutionCase(
    "{ named { __typename name ... on Robot { serial } ... on Person { age } } any { ... on Named { name } ... on Robot { serial } } }",
    #"{"data":{"named":[{"__typename":"Person","name":"Ada \"A\"","age":36},{"__typename":"Robot","name":"R2","serial":"2"}],"any":{"name":null,"serial":"x"}}}"#
  ),
  ExecutionCase(
    "{ wrong { name } outside { __typename } }",
    #"{"data":{"wrong":null,"outside":null},"errors":[{"message":"The object type \"Query\" is no possible type of \"Named\".","locations":[{"line":1,"column":3}],"path":["wrong"]},{"message":"\"Any\" was resolved to \"Nothing\", which is not an object type of the schema.","locations":[{"line":1,"column":18}],"path":["outside"]}]}"#
  ),
  ExecutionCase(
    "query ($no: Boolean = false, $yes: Boolean!) { a: mood @include(if: $no) b: mood @skip(if: $yes) c: mood @include(if: $yes) @skip(if: $no) ... @include(if: $no) { d: mood } ...F @skip(if: true) } fragment F on Query { e: mood }",
    variables: #"{"yes":true}"#, #"{"data":{"c":"GOOD"}}"#),
]

private let argumentRows: [ExecutionCase] = [
  ExecutionCase("{ echo }", #"{"data":{"echo":"{\"text\":\"d\"}"}}"#),
  ExecutionCase(
    "{ echo(int: null, text: null, list: 1, point: {x: 1}, mood: BAD, one: {a: 1}, float: 1, id: 5, flag: true) }",
    #"{"data":{"echo":"{\"flag\":true,\"float\":1.0,\"id\":\"5\",\"int\":null,\"list\":[1],\"mood\":\"BAD\",\"one\":{\"a\":1},\"point\":{\"x\":1,\"y\":7},\"text\":null}"}}"#
  ),
  ExecutionCase(
    "query ($int: Int, $list: [Int], $point: Point, $x: Int!) { echo(int: $int, list: $list, point: $point) b: echo(list: [$x, $int], point: {x: $x, y: $int}) }",
    variables: #"{"list": 2, "point": {"x": 3.0, "y": null}, "x": 4}"#,
    #"{"data":{"echo":"{\"list\":[2],\"point\":{\"x\":3,\"y\":null},\"text\":\"d\"}","b":"{\"list\":[4,null],\"point\":{\"x\":4,\"y\":7},\"text\":\"d\"}"}}"#
  ),
  ExecutionCase(
    "query ($v: Int = 1) { need(value: $v) mood }", variables: #"{"v": null}"#,
    #"{"data":{"need":null,"mood":"GOOD"},"errors":[{"message":"The argument \"value\" of type \"Int!\" has an invalid value.","locations":[{"line":1,"column":35}],"path":["need"]}]}"#
  ),
  ExecutionCase(
    "query ($v: Int!, $p: [Point!]) { need(value: $v) }", variables: "{}",
    #"{"errors":[{"message":"The variable \"$p\" is never used.","locations":[{"line":1,"column":18}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}"#
  ),
  ExecutionCase(
    "query ($v: Int!) { need(value: $v) }", variables: "{}",
    #"{"errors":[{"message":"The variable \"$v\" of type \"Int!\" has no value.","locations":[{"line":1,"column":8}],"extensions":{"code":"BAD_VARIABLES"}}]}"#
  ),
  ExecutionCase(
    "query ($p: Point) { echo(point: $p) }", variables: #"{"p":{"y":"a","z":1}}"#,
    #"{"errors":[{"message":"The variable \"$p\" has an invalid value at \"p\": the field \"x\" of type \"Int!\" is missing.","locations":[{"line":1,"column":8}],"extensions":{"code":"BAD_VARIABLES"}},{"message":"The variable \"$p\" has an invalid value at \"p.y\": expected a value of type \"Int\", found \"a\".","locations":[{"line":1,"column":8}],"extensions":{"code":"BAD_VARIABLES"}},{"message":"The variable \"$p\" has an invalid value at \"p\": the field \"z\" is not defined by type \"Point\".","locations":[{"line":1,"column":8}],"extensions":{"code":"BAD_VARIABLES"}}]}"#
  ),
  ExecutionCase(
    "query ($l: [Int!], $m: Mood, $o: One) { echo(list: $l, mood: $m, one: $o) }",
    variables: #"{"l":[1,null],"m":"SO","o":{"a":1,"b":"c"}}"#,
    #"{"errors":[{"message":"The variable \"$l\" has an invalid value at \"l.1\": expected a value of type \"Int!\", found null.","locations":[{"line":1,"column":8}],"extensions":{"code":"BAD_VARIABLES"}},{"message":"The variable \"$m\" has an invalid value at \"m\": the enumeration \"Mood\" has no value \"SO\".","locations":[{"line":1,"column":20}],"extensions":{"code":"BAD_VARIABLES"}},{"message":"The variable \"$o\" has an invalid value at \"o\": the input \"One\" takes exactly one field.","locations":[{"line":1,"column":30}],"extensions":{"code":"BAD_VARIABLES"}}]}"#
  ),
]
