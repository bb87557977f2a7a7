import ByteCoding
public import ChangesetOT

/// One version of a file's subscriptions, and how far the server has come with it.
public struct SubscriptionSetRecord: Hashable, Sendable {
  /// The way of a set, in this order; `error` ends it from any state before `complete`.
  public enum State: UInt8, Hashable, Sendable {
    /// Stored here; the server has sent nothing of it.
    case pending = 0
    /// A part of its objects has arrived, and is kept beside the data.
    case bootstrapping = 1
    /// Its objects are in the file; what happened on the server meanwhile may be on its way.
    case awaitingMark = 2
    /// The file holds what the set selects, and follows it.
    case complete = 3
    /// The server cannot serve it; the set before it stays in force.
    case error = 4
  }

  /// The number of the set.
  public var version: QueryVersion
  /// The version of the file that the set was stored with: local changes up to here are uploaded before it is sent.
  public var snapshot: ClientVersion
  /// How far the server has come.
  public var state: State
  /// The server's reason in state `error`; empty otherwise.
  public var message: String
  /// The subscriptions, in the order of their creation.
  public var subscriptions: [SubscriptionRecord]

  /// A set.
  public init(
    version: QueryVersion, snapshot: ClientVersion, state: State = .pending, message: String = "",
    subscriptions: [SubscriptionRecord] = []
  ) {
    self.version = version
    self.snapshot = snapshot
    self.state = state
    self.message = message
    self.subscriptions = subscriptions
  }

  /// The set as it is sent: a JSON object from class to condition, classes in alphabetical order. The conditions of a
  /// class are in parentheses, without duplicates, sorted, and joined by OR. A query with clauses stands alone as it is;
  /// several of which one has clauses are an array.
  ///
  /// - Complexity: O(*n* log *n*) in the subscriptions.
  public var querySet: QuerySet {
    let classes = Dictionary(grouping: subscriptions, by: \.className)
    let members = classes.keys.sorted().map { name -> (key: String, value: JSONValue) in
      let entries = classes[name] ?? []
      let texts = Set(entries.map(\.query)).sorted()
      guard entries.contains(where: \.hasClauses) else {
        return (name, .string(texts.map { "(\($0))" }.joined(separator: " OR ")))
      }
      return (name, texts.count == 1 ? .string(texts.joined()) : .array(texts.map { .string($0) }))
    }
    return QuerySet(version: version, json: JSONValue.object(members).text)
  }
}
