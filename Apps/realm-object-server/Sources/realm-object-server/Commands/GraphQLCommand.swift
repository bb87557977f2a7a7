import ByteCoding
import CommandLineKit
import GraphQL
import ObjectServer

/// GraphQL on the realms of a data directory.
enum GraphQLCommand {
  static let command = Command(
    "graphql", summary: "Ask a realm of the data directory by GraphQL, or print its schema.",
    discussion: """
      Works on the data directory as the operator. Queries are answered also while a server runs; a mutation asks for a server \
      that is stopped, since a running one tells its clients of what it writes itself: send it to http://…/graphql/PATH then.

        realm-object-server graphql /default '{ dogs(query: "age > 8") { name } }'
        realm-object-server graphql /default 'query($n: Int) { dogs(take: $n) { name } }' --variables '{"n": 3}'
        realm-object-server graphql /default --schema
      """,
    options: [
      .flag("schema", help: "Print the schema in the schema definition language."),
      .value("variables", valueName: "JSON", help: "The values of the query's variables."),
    ],
    arguments: [
      .one("path", help: "The path of the realm."), .optional("query", help: "A query or a mutation."),
    ]
  ) { invocation, console in
    let path = invocation.argument("path") ?? ""
    let server = try ServeCommand.data(invocation)
    if invocation.flag("schema") {
      let text = try ServeCommand.reporting { try server.graphQLSchema(at: path) }
      guard !invocation.flag("json") else { return console.print(json: .object([("schema", .text(text))])) }
      return console.print(ConsoleText(lines: text, indent: 0))
    }
    guard let query = invocation.argument("query") else {
      throw UsageError(invocation, "there is no query; add one, or '--schema'")
    }
    var request = GraphQLRequest(query)
    if let text = invocation.text("variables") {
      do { request.variables = try JSONValue(parsing: text) } catch let error as JSONError {
        throw UsageError(invocation, "'--variables' is no JSON: byte \(error.position)")
      }
    }
    let response = try ServeCommand.reporting { try server.answer(request, at: path) }
    console.writeJSON(response.text + "\n")
    guard response.data != nil else { throw CommandFailure("the request was refused", code: "refused") }
  }
}
