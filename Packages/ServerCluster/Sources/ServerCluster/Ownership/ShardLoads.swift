import Foundation

/// The costs of each shard's realms for this node: means of processor time that forget half of what was every
/// ``halfLife``.
///
///     var loads = ShardLoads(at: now)
///     loads.add(.seconds(1), of: shard)
///     loads.advance(to: now + .seconds(20))
///     loads[shard]                              // 25: a twentieth of a processor, known by half
struct ShardLoads: Sendable {
  /// The time after which half of a change is known.
  static let halfLife = Duration.seconds(20)
  /// Means below this, in processors, are nothing.
  private static let nothing = 0.000_5

  private var means: [ShardNumber: Double] = [:]
  /// Work since the last step.
  private var work: [ShardNumber: Duration] = [:]
  private var last: ContinuousClock.Instant

  init(at instant: ContinuousClock.Instant) { last = instant }

  /// The load of a shard in thousandths of a processor.
  subscript(_ shard: ShardNumber) -> Int64 { Self.thousandths(means[shard] ?? 0) }
  /// The load of all shards in thousandths of a processor.
  var total: Int64 { Self.thousandths(means.values.reduce(0, +)) }

  /// Counts work of a shard.
  mutating func add(_ time: Duration, of shard: ShardNumber) { work[shard, default: .zero] += time }

  /// Lets the means know the work that was counted until an instant. Shards that are not the node's any more are forgotten.
  ///
  /// - Complexity: O(shards that cost something).
  mutating func advance(to instant: ContinuousClock.Instant, of isHeld: (ShardNumber) -> Bool = { _ in true }) {
    let span = (instant - last) / .seconds(1)
    guard span > 0 else { return }
    let kept = pow(0.5, span / (Self.halfLife / .seconds(1)))
    means = means.mapValues { $0 * kept }
    for (shard, time) in work { means[shard, default: 0] += time / .seconds(1) / span * (1 - kept) }
    means = means.filter { $0.value >= Self.nothing && isHeld($0.key) }
    work = [:]
    last = instant
  }

  /// Begins with what a shard cost the node that had it before.
  mutating func begin(_ shard: ShardNumber, at thousandths: Int64) {
    means[shard] = Double(thousandths) / 1_000
    work[shard] = nil
  }

  private static func thousandths(_ processors: Double) -> Int64 {
    Int64(clamping: Int(exactly: (min(processors, 1e9) * 1_000).rounded()) ?? 0)
  }
}
