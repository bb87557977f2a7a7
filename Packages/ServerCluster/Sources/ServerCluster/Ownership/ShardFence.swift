import PostgresClient

/// The row of a shard as it must be for this node to write: of this node, of this start of it, of this epoch. A statement that takes
/// the row so keeps others from becoming the owner until it is over, or finds another row and does nothing.
struct ShardFence: Hashable, Sendable {
  var shard: ShardNumber
  var node: String
  var incarnation: Int64
  var epoch: Int64

  /// The row, for a statement whose first four parameters are ``parameters``; empty when it is another.
  static let row = "SELECT 1 FROM shard WHERE number = $1 AND node = $2 AND incarnation = $3 AND epoch = $4 FOR SHARE"

  var parameters: [PostgresParameter] {
    [.integer(Int64(shard.rawValue)), .text(node), .integer(incarnation), .integer(epoch)]
  }
}
