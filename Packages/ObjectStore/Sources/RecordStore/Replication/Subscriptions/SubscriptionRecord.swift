/// One subscription as a client file keeps it: the objects of one class that a query finds.
public struct SubscriptionRecord: Hashable, Sendable {
  /// The number of the subscription in its file; kept when it is updated, never used again.
  public var id: UInt64
  /// The name, unique in a set; nil for a subscription that is known by its query alone.
  public var name: String?
  /// The class, by its stored name.
  public var className: String
  /// The canonical text of the query, with the clauses after the condition.
  public var query: String
  /// Whether the query sorts, drops duplicates or is limited, so that it cannot be joined with another one by OR.
  public var hasClauses: Bool
  /// The time at which it was made, in milliseconds since 1970.
  public var createdAt: Int64
  /// The time at which it was last updated or asked for, in milliseconds since 1970.
  public var updatedAt: Int64
  /// The milliseconds after ``updatedAt`` in which it is kept; nil for ever.
  public var timeToLive: Int64?

  /// A subscription.
  public init(
    id: UInt64 = 0, name: String? = nil, className: String, query: String, hasClauses: Bool = false,
    createdAt: Int64 = 0, updatedAt: Int64 = 0, timeToLive: Int64? = nil
  ) {
    self.id = id
    self.name = name
    self.className = className
    self.query = query
    self.hasClauses = hasClauses
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.timeToLive = timeToLive
  }

  /// The time from which on it may be removed, in milliseconds since 1970; nil for never.
  public var expiresAt: Int64? {
    timeToLive.map { life in
      let (sum, isBeyond) = updatedAt.addingReportingOverflow(life)
      return isBeyond ? .max : sum
    }
  }

  /// Whether both ask for the same objects.
  public func hasSameQuery(as other: SubscriptionRecord) -> Bool {
    className == other.className && query == other.query
  }
}
