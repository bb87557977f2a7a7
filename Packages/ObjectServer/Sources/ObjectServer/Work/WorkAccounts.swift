import Foundation
import Telemetry

/// What users and lanes have consumed lately. Charges halve with every half-life.
///
/// All charges shrink alike, so their order only changes when one is added to: kept are charges as they would be worth at the
/// beginning, which never shrink.
struct WorkAccounts {
  private enum Account: Hashable {
    case user(String)
    case lane(WorkLane)
  }

  /// Accounts whose charge is worth less than this are forgotten when there are many.
  private static let negligible = 1_000.0
  /// Work that costs less is not remembered as costly.
  private static let costly = 1_000_000.0
  /// The most accounts before the negligible ones are forgotten.
  static let most = 10_000
  /// What the directory is charged of what it consumes: all users' work begins there.
  private static let directoryShare = 0.1

  private let halfLife: Double
  private var origin: Double = 0
  private var charges: [Account: Double] = [:]
  /// What the next piece of an account's work will cost, from the last ones, in nanoseconds: for accounts with costly work.
  private var expected: [Account: Double] = [:]
  /// At how many accounts those that are negligible are looked for.
  private var limit = Self.most

  init(halfLife: Duration) { self.halfLife = Double(halfLife.clampedNanoseconds) }

  var count: Int { charges.count }

  private static func accounts(of order: WorkOrder) -> [Account] {
    order.payers.isEmpty ? [.lane(order.lane)] : order.payers.map(Account.user)
  }

  private func growth(at now: MonotonicInstant) -> Double {
    exp2((Double((now - .zero).clampedNanoseconds) - origin) / halfLife)
  }

  /// The least charge of those who pay for an order, as it would be worth at the beginning: for comparisons.
  func scaledCharge(of order: WorkOrder) -> Double {
    guard !order.payers.isEmpty else { return charges[.lane(order.lane)] ?? 0 }
    var least = Double.infinity
    for user in order.payers { least = min(least, charges[.user(user)] ?? 0) }
    return least
  }

  /// The least charge of those who pay for an order.
  func charge(of order: WorkOrder, at now: MonotonicInstant) -> Duration {
    .nanoseconds(Int64(min(scaledCharge(of: order) / growth(at: now), 1e18)))
  }

  /// What an order is expected to cost, by the least of its payers: as much as the costliest of the last pieces, which counts
  /// half with each piece that follows it. Time does not change it, so that whoever has heavy work seldom is known for it.
  func expectedCost(of order: WorkOrder) -> Duration {
    var least = Double.infinity
    for account in Self.accounts(of: order) { least = min(least, expected[account] ?? 0) }
    return .nanoseconds(Int64(min(least, 1e18)))
  }

  /// Charges those who pay for an order, in equal parts. After ``rebase(at:)``, if that is due.
  mutating func charge(_ order: WorkOrder, _ cost: Duration, at now: MonotonicInstant) {
    let payers = Self.accounts(of: order)
    var part = Double(cost.clampedNanoseconds) / Double(payers.count) * growth(at: now)
    if order.lane == .directory { part *= Self.directoryShare }
    for payer in payers { charges[payer, default: 0] += part }
    if charges.count > limit { forget(at: now) }
  }

  /// Notes what a piece of work did cost.
  mutating func note(_ cost: Duration, of order: WorkOrder) {
    for payer in Self.accounts(of: order) {
      let next = max(Double(cost.clampedNanoseconds), (expected[payer] ?? 0) / 2)
      expected[payer] = next < Self.costly ? nil : next
    }
    if expected.count > Self.most { expected = [:] }
  }

  /// Whether the numbers become too large.
  func needsRebase(at now: MonotonicInstant) -> Bool { growth(at: now) > 1e100 }

  /// Makes now the beginning: charges that were asked for before compare no more with those that are asked for later.
  mutating func rebase(at now: MonotonicInstant) {
    let growth = growth(at: now)
    origin = Double((now - .zero).clampedNanoseconds)
    charges = charges.mapValues { $0 / growth }.filter { $0.value >= Self.negligible }
  }

  private mutating func forget(at now: MonotonicInstant) {
    let least = Self.negligible * growth(at: now)
    charges = charges.filter { $0.value >= least }
    limit = max(Self.most, 2 * charges.count)
  }
}
