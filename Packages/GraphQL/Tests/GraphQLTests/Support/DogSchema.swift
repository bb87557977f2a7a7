@testable import GraphQL

/// The schema that rules are tested with.
enum DogSchema {
  static let text = """
    interface Pet { name(surname: Boolean): String }
    interface Intelligent { iq: Int }
    type Dog implements Pet & Intelligent {
      name(surname: Boolean): String
      nickname: String
      barkVolume: Int
      barks: Boolean
      isAtLocation(x: Int, y: Int): Boolean
      doesKnowCommand(command: Command!): Boolean
      owner: Human
      mother: Dog
      puppies: [Dog!]!
      iq: Int
    }
    type Cat implements Pet { name(surname: Boolean): String nickname: String meows: Boolean! barkVolume: String mother: Cat }
    type Human { name: String pets: [Pet] relatives: [Human!]! }
    union CatOrDog = Cat | Dog
    enum Command { SIT HEEL DOWN }
    scalar Stamp
    input Complex { required: Boolean! int: Int = 3 string: String list: [String] inner: Complex }
    input One @oneOf { a: Int b: String }
    type Arguments {
      int(value: Int): Int
      nonNull(value: Int!): Int
      withDefault(value: Int! = 1): Int
      strings(value: [String]): Int
      list(value: [Int!]): Int
      float(value: Float): Float
      boolean(value: Boolean): Boolean
      id(value: ID): ID
      complex(value: Complex): Int
      one(value: One): Int
      stamp(value: Stamp): Stamp
      command(value: Command): Command
      two(first: Int!, second: Int!): Int
    }
    type Query { dog: Dog cat: Cat pet: Pet human(id: ID): Human catOrDog: CatOrDog args: Arguments intelligent: Intelligent }
    type Mutation { add: Dog }
    type Subscription { changed: Dog other: Int }
    directive @onQuery on QUERY
    directive @tag(name: String!) repeatable on FIELD
    directive @onField on FIELD
    """

  static let schema: GraphQLSchema? = try? GraphQLSchema(parsing: text)

  /// The errors of a document, as `line:column [line:column …] message`.
  static func errors(_ text: String, limits: GraphQLLimits = GraphQLLimits()) throws -> [String] {
    let schema = try GraphQLSchema(parsing: self.text)
    return try GraphQLDocument(parsing: text).validate(against: schema, limits: limits).map { error in
      error.locations.map { "\($0.line):\($0.column)" }.joined(separator: " ") + " " + error.message
    }
  }
}
