import ByteCoding
import DataModel
import Foundation
import GraphQL
import RecordStore

@testable import RealmGraphQL

/// A realm in memory of people and dogs, and one of every type of property.
struct Kennel {
  let file: RealmFile
  let graphQL: RealmGraphQL

  init(options: RealmGraphQLOptions = RealmGraphQLOptions(), limits: GraphQLLimits = GraphQLLimits()) throws {
    file = try RealmFile.open(.inMemory(name: "kennel-\(UUID().uuidString)"))
    try file.edit { try $0.addClasses(Self.schema) }
    graphQL = try RealmGraphQL(schema: try file.contents().schema, options: options, limits: limits)
  }

  static let schema = Schema([
    ObjectSchema(
      className: "Person", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "name", type: .string, isIndexed: true),
        Property(name: "born", type: .date, isOptional: true),
        Property(name: "dogs", type: .object, collection: .list, objectClassName: "Dog"),
        Property(name: "address", type: .object, objectClassName: "Address", isOptional: true),
      ]),
    ObjectSchema(
      className: "Dog", primaryKey: "name",
      properties: [
        Property(name: "name", type: .string), Property(name: "age", type: .int),
        Property(name: "owner", type: .object, objectClassName: "Person", isOptional: true),
      ]),
    ObjectSchema(
      className: "Address", kind: .embedded,
      properties: [Property(name: "city", type: .string), Property(name: "zip", type: .int, isOptional: true)]),
    ObjectSchema(
      className: "Note",
      properties: [Property(name: "text", type: .string, isOptional: true)]),
    ObjectSchema(
      className: "Everything", primaryKey: "key",
      properties: [
        Property(name: "key", type: .objectId), Property(name: "long", type: .int),
        Property(name: "flag", type: .bool), Property(name: "text", type: .string, isOptional: true),
        Property(name: "bytes", type: .data), Property(name: "date", type: .date),
        Property(name: "single", type: .float), Property(name: "double", type: .double),
        Property(name: "decimal", type: .decimal128), Property(name: "uuid", type: .UUID),
        Property(name: "mixed", type: .any),
        Property(name: "longs", type: .int, collection: .list),
        Property(name: "texts", type: .string, collection: .set),
        Property(name: "doubles", type: .double, collection: .dictionary),
        Property(name: "mixeds", type: .any, collection: .list),
        Property(name: "homes", type: .object, collection: .list, objectClassName: "Address"),
        Property(name: "friends", type: .object, collection: .dictionary, objectClassName: "Person", isOptional: true),
      ]),
  ])

  /// The response to a document.
  func ask(_ query: String, _ variables: String = "null") throws -> String {
    let request = GraphQLRequest(query, variables: try JSONValue(parsing: variables))
    return graphQL.execute(request, LocalRealm(file)).text
  }

  /// Ada with Rex and Fido, Bob with none; Rex is the older one.
  func populate() throws {
    _ = try ask(
      """
      mutation {
        createPersons(input: [
          {id: 1, name: "Ada", born: "1815-12-10T00:00:00Z", address: {city: "London", zip: 7},
           dogs: [{name: "Rex", age: 9, owner: {id: 1}}, {name: "Fido", age: 2}]},
          {id: 2, name: "Bob"}
        ], updatePolicy: MODIFIED) { id }
      }
      """)
  }
}
