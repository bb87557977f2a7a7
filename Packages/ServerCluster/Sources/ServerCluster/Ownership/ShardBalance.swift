/// Decides which shards a node gives away, so that each live node has about as many as the others. Pure: the same table gives the
/// same answer.
enum ShardBalance {
  /// Shards given away in one step, so that a change of the members moves realms little by little.
  static let step = 64

  /// The shards that a node gives away, each with the name of its next node.
  ///
  /// - Parameters:
  ///   - counts: the shards of each live node that takes some; the node itself among them unless it drains.
  ///   - mine: the shards of the node; the first ones go first, so those that cost least should be.
  static func moves(of node: String, _ mine: [ShardNumber], counts: [String: Int]) -> [(
    shard: ShardNumber, target: String
  )] {
    var counts = counts
    var moves: [(shard: ShardNumber, target: String)] = []
    var left = mine.count
    let isDraining = counts[node] == nil
    for shard in mine {
      guard moves.count < step else { break }
      guard let target = counts.filter({ $0.key != node }).min(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else {
        break
      }
      // Two nodes that differ by a tenth are equal: no realm moves for that.
      guard isDraining || left > target.value + max(2, left / 10) else { break }
      moves.append((shard, target.key))
      counts[target.key] = target.value + 1
      left -= 1
    }
    return moves
  }
}
