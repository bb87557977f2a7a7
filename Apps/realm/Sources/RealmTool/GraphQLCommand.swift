import ByteCoding
import CommandLineKit
import GraphQL
import RealmGraphQL
import RecordStore

extension RealmTool {
  static let graphQL = Command(
    "graphql", summary: "Ask a realm file by GraphQL, or print its schema.",
    discussion: """
      A mutation changes the file; each of its fields is a transaction.

        realm graphql pets.realm '{ dogs(query: "age > 8", sortBy: "name") { name owner { name } } }'
        realm graphql pets.realm 'mutation { createDog(input: {name: "Rex", age: 9}) { name } }'
        realm graphql pets.realm --schema
      """,
    options: [
      .flag("schema", help: "Print the schema in the schema definition language."),
      .flag("counts", help: "Give collections 'count' and 'items'."),
      .value("variables", valueName: "JSON", help: "The values of the query's variables."),
    ],
    arguments: [fileArgument, .optional("query", help: "A query or a mutation.")]
  ) { invocation, console in
    let query = invocation.argument("query")
    let writes = query.flatMap { try? GraphQLDocument(parsing: $0).kind(ofOperation: nil) } == .mutation
    let file = try open(invocation, writable: writes)
    try failing("cannot ask \(invocation.argument("file") ?? "")") {
      var options = RealmGraphQLOptions()
      options.includesCount = invocation.flag("counts")
      let graphQL = try RealmGraphQL(schema: try file.contents().schema, options: options)
      if invocation.flag("schema") {
        let text = graphQL.service.schema.description
        guard !invocation.flag("json") else { return console.print(json: .object([("schema", .text(text))])) }
        return console.print(ConsoleText(lines: text, indent: 0))
      }
      guard let query else { throw UsageError(invocation, "there is no query; add one, or '--schema'") }
      var request = GraphQLRequest(query)
      if let text = invocation.text("variables") {
        do { request.variables = try JSONValue(parsing: text) } catch let error as JSONError {
          throw UsageError(invocation, "'--variables' is no JSON: byte \(error.position)")
        }
      }
      let response = graphQL.execute(request, LocalRealm(file))
      console.writeJSON(response.text + "\n")
      guard response.data != nil else { throw CommandFailure("the request was refused", code: "refused") }
    }
  }
}
