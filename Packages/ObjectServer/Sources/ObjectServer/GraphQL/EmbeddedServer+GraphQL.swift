import ChangesetOT
import Foundation
public import GraphQL
import Permissions
import RealmGraphQL
import RecordStore

extension EmbeddedServer {
  /// Answers a GraphQL request from the file of a realm, as the operator, without a server: a query also while one runs, a mutation
  /// only while none does, since a running server tells its clients of what it writes itself.
  ///
  ///     let answer = try server.answer(GraphQLRequest("{ dogs { name } }"), at: "/default")
  ///     print(answer.text)                   // {"data":{"dogs":[{"name":"Rex"}]}}
  ///
  /// - Throws: ``ServerError``: ``ServerError/Code/realmFailure`` for a path without a realm, or a file that cannot be read; the
  ///   error of a data directory that is in use, for a mutation.
  public func answer(_ request: GraphQLRequest, at path: String) throws(ServerError) -> GraphQLResponse {
    try serving(path) { history, graphQL, access in
      let operation: PreparedOperation
      do throws(GraphQLRequestError) { operation = try graphQL.service.prepare(request) } catch {
        return GraphQLResponse(refused: error.errors)
      }
      let store = ServedRealm(history, access)
      guard operation.kind == .mutation else { return graphQL.execute(operation, store) }
      let lock = try DataDirectoryLock(path: layout.lock, directory: self.path)
      defer { lock.release() }
      return graphQL.execute(operation, store)
    }
  }

  /// The GraphQL schema of a realm in the schema definition language.
  ///
  /// - Throws: as ``answer(_:at:)``.
  public func graphQLSchema(at path: String) throws(ServerError) -> String {
    try serving(path) { _, graphQL, _ in graphQL.service.schema.description }
  }

  private func serving<Value>(
    _ path: String, _ body: (ServerHistory, RealmGraphQL, ViewAccess) throws -> Value
  ) throws(ServerError) -> Value {
    try checkUsed()
    let directory = try openDirectory()
    defer { directory.close() }
    do {
      let named = try RealmPath(path)
      let realm = try directory.renamedPath(of: named) ?? named
      guard try directory.facts(of: realm).exists else {
        throw ServerError(.realmFailure, "there is no realm at \(realm)", remedy: "'realms' lists them")
      }
      let history = try history(of: realm)
      let access = ViewAccess(user: Accounts.administratorTokenUser.rawValue, isAdministrator: true)
      let graphQL = try RealmGraphQL(schema: try history.readableContents(by: access).contents.schema)
      return try body(history, graphQL, access)
    } catch let error as ServerError {
      throw error
    } catch {
      throw ServerError(
        .realmFailure, "\(path) cannot be asked", remedy: "check the path; 'verify' tells whether a file is damaged",
        cause: error)
    }
  }
}
