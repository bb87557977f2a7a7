public import ObjectServer
import PostgresClient
import Synchronization
import Telemetry

/// The limits of the nodes of a cluster: one count for all of them, in its database and by its clock.
///
/// An attempt is one statement, which locks no more than the counters of its own event. Without the database nothing is admitted, and
/// nobody could log in, since the directory is there as well.
public final class PostgresAccountLimits: AccountLimits {
  /// The time after which a network counts as its owner's no more.
  static let knownDays = 90.0
  /// The most refusals that a node remembers, so that it asks the database once about each.
  static let rememberedRefusals = 20_000

  private let database: ClusterDatabase
  private let clock: any MonotonicClock
  /// A clock in the place of the database's; nil but in tests.
  let testClock: (any MonotonicClock)?
  private let refused = Mutex<[AccountEvent: MonotonicInstant]>([:])

  /// The limits in a database.
  public convenience init(_ database: ClusterDatabase) { self.init(database, testClock: nil) }

  init(_ database: ClusterDatabase, testClock: (any MonotonicClock)?) {
    self.database = database
    self.testClock = testClock
    clock = testClock ?? SystemMonotonicClock()
  }

  /// The wait of an event that the database refused before. Does not block.
  public func knownWait(_ event: AccountEvent) -> Duration {
    let now = clock.now
    return refused.withLock { max(.zero, ($0[event] ?? now) - now) }
  }

  /// Counts an event when it may happen now.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func admit(_ event: AccountEvent) throws(ServerError) -> AccountAdmission {
    let known = knownWait(event)
    guard known == .zero else { return AccountAdmission(wait: known, counters: 0) }
    let counters = event.counters, (owner, origin) = Self.ownership(event), rules = counters.map(\.rule.numbers)
    let parameters: [PostgresParameter] = [
      Self.kinds(counters), Self.keys(counters), Self.array(rules.map(\.free)), Self.array(rules.map(\.first)),
      Self.array(rules.map(\.cap)), Self.array(rules.map(\.forgiving)), .integer(Int64(DelayRule.mostBeyondFree)),
      owner, origin, moment,
    ]
    let rows = try perform("admit_event", parameters)
    guard let microseconds = rows.integer(0, 0), let counted = rows.integer(0, 1) else { throw Self.unreadable }
    let wait = Duration.microseconds(microseconds)
    if wait > .zero { remember(event, wait) }
    return AccountAdmission(wait: wait, counters: Int(clamping: counted))
  }

  /// Ends an event that was admitted and shall not stay counted.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func settle(
    _ event: AccountEvent, _ admission: AccountAdmission, as outcome: AccountOutcome
  ) throws(ServerError) {
    let counters = Array(event.counters.prefix(admission.counters)), (owner, origin) = Self.ownership(event)
    guard !counters.isEmpty else { return }
    let hasOwner = owner != .null
    let parameters: [PostgresParameter] = [
      Self.kinds(counters), Self.keys(counters), .text(outcome == .succeeded && hasOwner ? "t" : "f"), owner, origin,
      .integer(Int64(AccountOwners.networksPerName)), .integer(Int64(AccountOwners.namesPerNetwork)),
      .text("\(Self.knownDays)"), moment,
    ]
    _ = try perform("settle_event", parameters)
  }

  /// The time until a message may be sent.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func delay(ofMail mail: PacedMail) throws(ServerError) -> Duration? {
    let parameters: [PostgresParameter] = [
      Self.digest(mail.subject), Self.digest(mail.address), .text("\(PacedMail.interval / .seconds(1))"),
      .text("\(PacedMail.longestDelay / .seconds(1))"), moment,
    ]
    return try perform("pace_mail", parameters).integer(0, 0).map { .microseconds($0) }
  }

  private func remember(_ event: AccountEvent, _ wait: Duration) {
    let now = clock.now
    refused.withLock { refused in
      if refused.count >= Self.rememberedRefusals { refused = refused.filter { $0.value > now } }
      if refused.count < Self.rememberedRefusals { refused[event] = now + wait }
    }
  }

  private func perform(_ function: String, _ parameters: [PostgresParameter]) throws(ServerError) -> PostgresResult {
    let places = (1...parameters.count).map { "$\($0)" }.joined(separator: ", ")
    do {
      return try database.repeating {
        try $0.query(prepared: function, "SELECT * FROM \(function)(\(places))", parameters: parameters)
      }
    } catch { throw ClusterDatabase.failure(error) }
  }
}
