import Foundation
import Telemetry

/// The processor time that payers and queues consumed lately. Charges halve with every half-life.
///
/// All charges decay by the same factor, so their order changes only when one is added to. The table stores each charge
/// scaled to the origin (`charge · 2^(t / halfLife)`), which never decays: no operation has to touch all accounts.
struct UsageAccounts {
  private enum Account: Hashable {
    case user(String)
    case queue(SerialQueue)
  }

  /// Accounts charged with less than this (nanoseconds) are dropped when the table is full.
  private static let negligible = 1_000.0
  /// Jobs that cost less than this (nanoseconds) are not remembered as costly.
  private static let costly = 1_000_000.0
  /// The number of accounts at which the table drops negligible ones.
  static let maximumCount = 10_000

  private let halfLife: Double
  private var origin: Double = 0
  private var charges: [Account: Double] = [:]
  /// The expected cost of an account's next job in nanoseconds; only for accounts with costly jobs.
  private var expected: [Account: Double] = [:]
  /// The number of accounts at which negligible ones are dropped next.
  private var limit = Self.maximumCount

  init(halfLife: Duration) { self.halfLife = Double(halfLife.clampedNanoseconds) }

  var count: Int { charges.count }

  private static func accounts(of job: JobAttributes) -> [Account] {
    job.payers.isEmpty ? [.queue(job.queue)] : job.payers.map(Account.user)
  }

  private func growth(at now: MonotonicInstant) -> Double {
    exp2((Double((now - .zero).clampedNanoseconds) - origin) / halfLife)
  }

  /// The least charge of a job's payers, scaled to the origin: for comparisons.
  ///
  /// - Complexity: O(payers).
  func scaledCharge(of job: JobAttributes) -> Double {
    guard !job.payers.isEmpty else { return charges[.queue(job.queue)] ?? 0 }
    var least = Double.infinity
    for user in job.payers { least = min(least, charges[.user(user)] ?? 0) }
    return least
  }

  /// The least charge of a job's payers at a time.
  func charge(of job: JobAttributes, at now: MonotonicInstant) -> Duration {
    .nanoseconds(Int64(min(scaledCharge(of: job) / growth(at: now), 1e18)))
  }

  /// The expected cost of a job: for each payer the greatest of its last costs, halved with each later job; of the payers
  /// the least. Does not decay with time, so rare heavy jobs are recognised as well.
  func expectedCost(of job: JobAttributes) -> Duration {
    var least = Double.infinity
    for account in Self.accounts(of: job) { least = min(least, expected[account] ?? 0) }
    return .nanoseconds(Int64(min(least, 1e18)))
  }

  /// Charges the payers of a job with equal parts of a cost. Requires ``rebase(at:)`` first when it is due.
  ///
  /// - Complexity: O(payers) amortised.
  mutating func charge(_ job: JobAttributes, _ cost: Duration, at now: MonotonicInstant) {
    let payers = Self.accounts(of: job)
    let part = Double(cost.clampedNanoseconds) / Double(payers.count) / job.queue.weight * growth(at: now)
    for payer in payers { charges[payer, default: 0] += part }
    if charges.count > limit { dropNegligible(at: now) }
  }

  /// Records the cost of a job for ``expectedCost(of:)``.
  mutating func note(_ cost: Duration, of job: JobAttributes) {
    for payer in Self.accounts(of: job) {
      let next = max(Double(cost.clampedNanoseconds), (expected[payer] ?? 0) / 2)
      expected[payer] = next < Self.costly ? nil : next
    }
    if expected.count > Self.maximumCount { expected = [:] }
  }

  /// Whether scaled charges come near the limit of a `Double`.
  func needsRebase(at now: MonotonicInstant) -> Bool { growth(at: now) > 1e100 }

  /// Moves the origin to `now`. Scaled charges from before do not compare with those from after.
  ///
  /// - Complexity: O(accounts).
  mutating func rebase(at now: MonotonicInstant) {
    let growth = growth(at: now)
    origin = Double((now - .zero).clampedNanoseconds)
    charges = charges.mapValues { $0 / growth }.filter { $0.value >= Self.negligible }
  }

  private mutating func dropNegligible(at now: MonotonicInstant) {
    let least = Self.negligible * growth(at: now)
    charges = charges.filter { $0.value >= least }
    limit = max(Self.maximumCount, 2 * charges.count)
  }
}
