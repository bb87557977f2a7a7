/// The queries of a scan for a client with a view: those whose objects its file holds, and those that it asks for.
///
/// Both sets are equal between changes of the queries. When they differ, the scan is a bootstrap: it brings the file from
/// the objects of `held` to those of `wanted`.
///
///     let people = QuerySet(version: QueryVersion(1), json: #"{"Person":"age > 3"}"#)
///     ViewRequest(held: QuerySet(), wanted: people).isBootstrap      // true
///     ViewRequest(held: people, wanted: people).isBootstrap          // false
public struct ViewRequest: Hashable, Sendable {
  /// The set whose objects the client's file holds at its download cursor.
  public var held: QuerySet
  /// The set whose objects it is to hold after the scan.
  public var wanted: QuerySet
  /// Whether the scan changes the set.
  public var isBootstrap: Bool { held != wanted }

  /// A request.
  public init(held: QuerySet, wanted: QuerySet) {
    self.held = held
    self.wanted = wanted
  }
}

/// A subscription set that cannot be served.
public struct QueryRefusal: Error, Hashable, Sendable {
  /// The set.
  public var query: QueryVersion
  /// The reason, for people: the class, the query, and the position of the mistake.
  public var message: String

  /// A refusal.
  public init(query: QueryVersion, message: String) {
    self.query = query
    self.message = message
  }
}
