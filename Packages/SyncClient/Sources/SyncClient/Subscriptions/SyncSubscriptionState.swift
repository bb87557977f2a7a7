import RecordStore

/// The state of a subscription, or of the set that it is in.
///
/// The five cases are those of query-based sync. ``superseded`` is the name that sets have for the fourth.
public enum SyncSubscriptionState: Sendable {
  /// Not stored yet.
  case creating
  /// Stored; the server has not sent everything.
  case pending
  /// All matching objects are in the realm, and follow the server.
  case complete
  /// Removed; of a set: a later one has taken its place.
  case invalidated
  /// The server or this client refused it.
  case error(any Error)

  /// A set that a later one has replaced.
  public static var superseded: SyncSubscriptionState { .invalidated }

  /// The state of a stored set.
  init(_ set: SubscriptionSetRecord?) {
    switch set?.state {
    case nil: self = .invalidated
    case .pending, .bootstrapping, .awaitingMark: self = .pending
    case .complete: self = .complete
    case .error: self = .error(SyncError(refusalOf: set))
    }
  }
}

extension SyncSubscriptionState: Equatable {
  /// Whether both are the same case; errors are equal by their text.
  public static func == (left: SyncSubscriptionState, right: SyncSubscriptionState) -> Bool {
    switch (left, right) {
    case (.creating, .creating), (.pending, .pending), (.complete, .complete), (.invalidated, .invalidated): true
    case (.error(let left), .error(let right)): "\(left)" == "\(right)"
    case (.creating, _), (.pending, _), (.complete, _), (.invalidated, _), (.error, _): false
    }
  }
}

extension SyncError {
  /// The server's refusal of a set.
  init(refusalOf set: SubscriptionSetRecord?) {
    self.init(
      FileQueries.Refusal(version: set?.version ?? .zero, message: set?.message ?? "the subscription was refused"))
  }
}
