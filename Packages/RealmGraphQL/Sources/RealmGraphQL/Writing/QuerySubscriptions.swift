import GraphQL

/// A named query of a user of a realm that is opened by queries.
public struct QuerySubscription: Hashable, Sendable, Codable {
  /// The name, one of its user's.
  public var name: String
  /// The class.
  public var objectType: String
  /// The text of the query, arguments in place.
  public var query: String

  /// A named query.
  public init(name: String, objectType: String, query: String) {
    self.name = name
    self.objectType = objectType
    self.query = query
  }
}

/// Keeps the named queries of one user of one realm. Called on the thread of the request.
public protocol QuerySubscriptions: Sendable {
  /// All of them, by name.
  func all() throws -> [QuerySubscription]
  /// Keeps one; another of the same name is replaced. Durable on return.
  func add(_ subscription: QuerySubscription) throws
  /// Removes one; answers whether there was one of that name. Durable on return.
  func remove(_ name: String) throws -> Bool
}

/// A named query as an object of a response.
struct ListedSubscription: GraphQLObject {
  private let subscription: QuerySubscription

  init(_ subscription: QuerySubscription) { self.subscription = subscription }

  var typeName: String { "QueryBasedSubscription" }

  func resolve(_ field: FieldCall) -> ResolvedValue {
    switch field.name {
    case "name": .string(subscription.name)
    case "objectType": .string(subscription.objectType)
    default: .string(subscription.query)
    }
  }
}
