import DataModel
import GraphQL
import Testing

@testable import RealmGraphQL

@Suite struct SchemaTests {
  @Test("names that GraphQL does not have, and names that meet, get names of their own")
  func names() throws {
    let schema = Schema([
      ObjectSchema(
        className: "Query", properties: [Property(name: "__x", type: .int), Property(name: "_x", type: .int)]),
      ObjectSchema(className: "__Role", primaryKey: "name", properties: [Property(name: "name", type: .string)]),
      ObjectSchema(className: "Car", properties: []), ObjectSchema(className: "Cars", properties: []),
      ObjectSchema(className: "Größe", properties: [Property(name: "1st", type: .int)]),
    ])
    let text = try RealmGraphQL(schema: schema).service.schema.description
    #expect(text.contains("type Query_2 {\n  _x: Long!\n  _x_2: Long!"))
    #expect(text.contains("_Roles("))
    #expect(text.contains("  cars(") && text.contains("  carss(") && text.contains("  cars_2("))
    #expect(text.contains("type Gr__e {\n  _1st: Long!"))
  }

  @Test("a realm without classes has a schema")
  func empty() throws {
    let text = try RealmGraphQL(schema: Schema()).service.schema.description
    #expect(text.contains("type Query {\n  \"The realm has no classes.\"\n  _isEmpty: Boolean!\n}"))
    #expect(!text.contains("Mutation"))
    var options = RealmGraphQLOptions()
    options.isQueryBased = true
    let byQueries = try RealmGraphQL(schema: Schema(), options: options).service.schema.description
    #expect(byQueries.contains("  queryBasedSubscriptions("))
    #expect(byQueries.contains("  deleteQueryBasedSubscription("))
    #expect(!byQueries.contains("type Subscription"))
  }

  @Test("classes named as the fields of a realm that is opened by queries keep theirs")
  func reservedFields() throws {
    var options = RealmGraphQLOptions()
    options.isQueryBased = true
    for name in ["QueryBasedSubscription", "Subscription", "Mutation", "QueryBasedSubscriptions", "LinkingObjects"] {
      let schema = Schema([ObjectSchema(className: name, properties: [Property(name: "n", type: .int)])])
      #expect(throws: Never.self, "\(name)") { try RealmGraphQL(schema: schema, options: options) }
    }
  }

  @Test("pluralising appends an s, whatever the name")
  func plurals() throws {
    let schema = Schema([ObjectSchema(className: "RealmFile", properties: [Property(name: "n", type: .int)])])
    let text = try RealmGraphQL(schema: schema).service.schema.description
    #expect(text.contains("  realmFiles("))
    #expect(text.contains("  realmFile(_key: ID!): RealmFile"))
    #expect(
      text.contains("  createRealmFiles(input: [RealmFileInput]!, updatePolicy: UpdatePolicy = NONE): [RealmFile!]"))
  }
}
