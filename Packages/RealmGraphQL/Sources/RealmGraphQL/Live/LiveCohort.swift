import ChangesetOT
import DataModel
public import GraphQL
import QueryLanguage
import RecordStore

/// The subscriptions that are one: the same document, variables and permissions. One evaluation makes the bytes of all.
final class LiveCohort {
  struct Key: Hashable {
    var query: String
    var operation: String?
    var variables: String
    /// The user, where roles inside the realm bound them; nil for everybody else.
    var audience: String?
  }

  let key: Key
  let request: GraphQLRequest
  let access: ViewAccess
  private(set) var operation: PreparedOperation
  private(set) var graphQL: RealmGraphQL
  private(set) var type: ClassModel
  private(set) var call: FieldCall
  private(set) var reach: SelectionReach
  /// Whether changes are sent instead of whole results.
  private(set) var sendsChanges: Bool
  var subscribers: Set<LiveQueries.Subscriber> = []
  /// The hash of the last response, for whole results.
  var digest = 0
  /// The rows of the last result, for changes, and its token; nil when they are not kept.
  var rows: [QueryRow]?
  var token = ""

  /// - Throws: `GraphQLRequestError` for a request that is no subscription of the schema.
  init(_ key: Key, _ request: GraphQLRequest, _ access: ViewAccess, _ graphQL: RealmGraphQL) throws {
    self.key = key
    self.request = request
    self.access = access
    self.graphQL = graphQL
    let parts = try Self.parts(request, graphQL)
    (operation, call, type, sendsChanges) = parts
    reach = SelectionReach(parts.1, parts.2, graphQL.model)
  }

  /// Takes another version of the schema; answers whether it is another one.
  func prepare(with graphQL: RealmGraphQL) throws -> Bool {
    guard graphQL !== self.graphQL else { return false }
    (operation, call, type, sendsChanges) = try Self.parts(request, graphQL)
    self.graphQL = graphQL
    reach = SelectionReach(call, type, graphQL.model)
    return true
  }

  private static func parts(
    _ request: GraphQLRequest, _ graphQL: RealmGraphQL
  ) throws -> (PreparedOperation, FieldCall, ClassModel, Bool) {
    let operation = try graphQL.service.prepare(request)
    guard operation.kind == .subscription, let call = operation.fields.first else {
      throw LiveQueryError(errors: [GraphQLError("Expected a subscription.", code: "BAD_REQUEST")])
    }
    switch graphQL.roots.subscription[call.name] {
    case .objects(let type): return (operation, call, type, false)
    case .changes(let type): return (operation, call, type, true)
    case nil: throw LiveQueryError(errors: [GraphQLError("This field cannot be subscribed to.", code: "BAD_REQUEST")])
    }
  }

  /// The query with its clauses, for the matcher; nil when it has none that can be parsed.
  var query: (text: ParsedQuery, arguments: [QueryArgument])? {
    guard let text = call.arguments["query"]?.string else { return (ParsedQuery(), []) }
    guard let parsed = try? ParsedQuery(parsing: text) else { return nil }
    let values = (call.arguments["arguments"]?.elements ?? []).map { RealmInput.mixed($0) ?? .null }
    return (parsed, values.map { if case .list(let elements) = $0 { .list(elements) } else { .value($0) } })
  }
}

/// The reasons why a subscription does not begin, or ends.
public struct LiveQueryError: Error, Sendable {
  /// One error per reason.
  public var errors: [GraphQLError]
}
