/// Decides which shard a node gives away because its realms cost it more than those of others cost them. Pure: the same table gives
/// the same answer. Nodes are taken for equal machines.
///
/// One node of a cluster gives at a time, the one with the most load, one shard, and then all rest: the next decision knows what the
/// last one changed. A shard costs at most half of the difference, so that the two nodes do not change places.
enum LoadBalance {
  /// The time between two shards that nodes give away for their load.
  static let rest = Duration.seconds(30)
  /// Differences of up to a fifth of a processor are none, in thousandths.
  static let leastDifference: Int64 = 200
  /// A shard that costs less than a hundredth of a processor is not worth a move, in thousandths.
  static let leastShard: Int64 = 10

  /// The shard that a node gives away, and to whom; nil when all is well, or no shard would make it better.
  ///
  /// - Parameters:
  ///   - mine: the loads of the node's shards, in thousandths of a processor.
  ///   - loads: those of the live nodes that take shards and say what theirs cost, the node among them.
  static func move(
    of node: String, _ mine: [ShardNumber: Int64], loads: [String: Int64]
  ) -> (shard: ShardNumber, target: String)? {
    guard let own = loads[node] else { return nil }
    let ordered = loads.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    guard let least = ordered.first, ordered.last?.key == node else { return nil }
    let difference = own - least.value
    guard difference > max(leastDifference, own / 4) else { return nil }
    let fitting = mine.filter { $0.value >= leastShard && $0.value <= difference / 2 }
    let shard = fitting.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    return shard.map { ($0, least.key) }
  }
}
