public import DataModel
public import GraphQL
import RecordStore

/// A realm's schema as a GraphQL schema, with the means to answer requests from its objects.
///
///     let graphQL = try RealmGraphQL(schema: contents.schema)
///     let answer = graphQL.execute(GraphQLRequest("{ dogs(query: \"age > 8\") { name } }"), LocalRealm(file))
///     print(answer.text)                      // {"data":{"dogs":[{"name":"Rex"}]}}
///     print(graphQL.service.schema)           // type Query { dogs(query: String, …): [Dog!] … }
///
/// Selections are answered by column reads from one version: no live object is made. It belongs to one schema; when a realm's
/// schema is another one, or a user may read fewer classes, another value is made. Safe to use from any thread.
public final class RealmGraphQL: Sendable {
  /// The GraphQL schema, with bounds and the cache of documents.
  public let service: GraphQLService
  let model: RealmModel
  let roots: RootFields

  /// The GraphQL schema of a realm.
  ///
  /// - Parameters:
  ///   - schema: the classes of the realm; those that are not to be seen are left out.
  ///   - limits: the bounds of each request.
  /// - Throws: `GraphQLSchemaError` when the schema cannot be one of GraphQL, for which no case is known.
  /// - Complexity: O(classes and properties).
  public init(
    schema: Schema, options: RealmGraphQLOptions = RealmGraphQLOptions(), limits: GraphQLLimits = GraphQLLimits()
  ) throws {
    model = RealmModel(schema, options: options)
    roots = RootFields(model)
    var writer = SchemaWriter(model, roots)
    service = GraphQLService(schema: try writer.schema(), limits: limits)
  }

  /// Answers a query or a mutation on this thread. A mutation is durable on return.
  ///
  /// - Complexity: that of the query, and O(fields of the objects that are answered).
  public func execute(
    _ request: GraphQLRequest, _ store: any RealmGraphQLStore, budget: ExecutionBudget = .unlimited
  ) -> GraphQLResponse {
    do { return execute(try service.prepare(request), store, budget: budget) } catch {
      return GraphQLResponse(refused: error.errors)
    }
  }

  /// Answers a prepared query or mutation of ``service``.
  public func execute(
    _ operation: PreparedOperation, _ store: any RealmGraphQLStore, budget: ExecutionBudget = .unlimited
  ) -> GraphQLResponse {
    do {
      switch operation.kind {
      case .query:
        let root = QueryRoot(
          reading: RealmReading(model, try store.read()), roots: roots, subscriptions: store.subscriptions)
        return operation.executeSynchronously(root, budget: budget)
      case .mutation:
        return operation.executeSynchronously(MutationRoot(model: model, roots: roots, store: store), budget: budget)
      case .subscription:
        return GraphQLResponse(refused: [
          GraphQLError("A subscription needs a connection that stays open.", code: "BAD_REQUEST")
        ])
      }
    } catch {
      return GraphQLResponse(refused: [GraphQLError("\(error)", code: "INTERNAL")])
    }
  }
}
