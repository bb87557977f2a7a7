public import GraphQL

/// The operator's choices and bounds for GraphQL.
public struct GraphQLSettings: Sendable {
  /// Whether the server answers at `/graphql`.
  public var isEnabled = true
  /// Whether a token is asked for. Without, everybody is an administrator: for development on one's own machine.
  public var asksForTokens = true
  /// Whether collections are objects with `count` and `items`.
  public var includesCount = false
  /// The bounds of one document and its response.
  public var limits = GraphQLSettings.standardLimits
  /// The most time that a request runs, beside that of its queries, which are not interrupted.
  public var timeout: Duration = .seconds(10)
  /// The most WebSockets of one user at a time.
  public var connectionsPerUser = 1_000
  /// The most WebSockets at a time.
  public var maximumConnections = 20_000
  /// The most operations under way on one WebSocket.
  public var operationsPerConnection = 1_000
  /// The most bytes of one message of a WebSocket.
  public var messageBytes = 1 << 20
  /// The most bytes that wait for the subscribers of one user who do not read.
  public var bufferedBytesPerUser = 64 << 20
  /// The most bytes that wait for all subscribers who do not read.
  public var bufferedBytes = 512 << 20
  /// The most requests of one user that are under way at a time.
  public var requestsPerUser = 64
  /// The time in which a WebSocket has to say who it is for.
  public var initTimeout: Duration = .seconds(10)

  /// The standard choices.
  public init() {}

  private static var standardLimits: GraphQLLimits {
    var limits = GraphQLLimits()
    limits.documentBytes = 64 << 10
    limits.tokens = 10_000
    limits.depth = 32
    limits.aliases = 200
    limits.complexity = 5_000
    limits.rows = 200_000
    limits.responseBytes = 64 << 20
    return limits
  }
}
