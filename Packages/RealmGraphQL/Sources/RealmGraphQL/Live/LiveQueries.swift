import CommitFeed
import ChangesetOT
import GraphQL
import RecordStore
import SubscriptionMatching

// @unchecked Sendable: its owner calls it from the realm's queue alone.

/// The subscriptions to one realm: after each commit, which of them have another result, and its bytes.
///
///     let live = LiveQueries(cache)
///     let first = try live.add(7, request, for: access, in: history)     // the present result
///     for delivery in try live.update(history) { … }                     // after commits
///
/// Equal subscriptions of users with equal permissions are one: evaluated once, with the same bytes. A commit is matched against
/// the queries of all of them, and only those are evaluated whose objects it touched; a result that is the same is not sent. It
/// knows neither users' sockets nor time. Used from one thread at a time; it holds a snapshot of the realm until ``suspend()``.
public final class LiveQueries: @unchecked Sendable {
  /// The name that the owner gives a subscription.
  public typealias Subscriber = UInt64

  /// A response for some subscribers.
  public struct Delivery: Sendable {
    /// The subscribers, ascending.
    public var subscribers: [Subscriber]
    /// The response as JSON: the same bytes for all.
    public var response: [UInt8]
    /// Whether the subscription ends with it, because the schema has what it asks for no more.
    public var isFinal = false
  }

  /// One subscription.
  struct Member {
    var cohort: Int
    var request: GraphQLRequest
    var access: ViewAccess
  }

  /// The most rows that subscriptions to changes keep to compare with. One whose list does not fit is sent its whole list each time.
  public static let mostRows = 4_000_000

  /// The schemas of the open file; another one after the files were closed and opened again.
  public var cache: RealmGraphQLCache
  var cohorts: [Int: LiveCohort] = [:]
  var numbers: [LiveCohort.Key: Int] = [:]
  var members: [Subscriber: Member] = [:]
  var nextNumber = 0
  /// The state that the cohorts saw last; nil before the first, and while suspended.
  var follower: CommitFollower?
  var matcher: SubscriptionMatcher<Int>?
  /// The cohorts that a commit may concern whatever the matcher answers.
  var reaches = ReachIndex()
  /// The results behind tokens that were given out.
  var tokens = TokenStates()
  /// The rows that all cohorts keep.
  var rowCount = 0
  /// How many results were made.
  public internal(set) var evaluationCount = 0
  /// Asked while a result is made.
  public var budget: @Sendable () -> ExecutionBudget = { .unlimited }

  /// No subscriptions yet.
  public init(_ cache: RealmGraphQLCache) { self.cache = cache }

  /// Whether there are no subscriptions.
  public var isEmpty: Bool { members.isEmpty }
  /// The number of subscriptions.
  public var count: Int { members.count }
  /// The number of different ones.
  public var cohortCount: Int { cohorts.count }

  /// Lets go of the realm's file. The next ``update(_:)`` evaluates everything.
  public func suspend() {
    follower = nil
    matcher = nil
    reaches = ReachIndex()
  }
}
