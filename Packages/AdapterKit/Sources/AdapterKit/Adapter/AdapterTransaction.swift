public import ChangesetOT
public import CommitFeed
public import DataModel

/// One transaction on a realm.
public struct AdapterTransaction: Sendable {
  /// The path of the realm.
  public let path: String
  /// The version that it made, with its salt: names the transaction for good.
  public let position: SaltedServerVersion
  /// The client file in which it was made.
  public let author: FileIdent
  /// Its time on its author's device.
  public let timestamp: OriginTimestamp
  /// Its steps.
  public let instructions: [AdapterInstruction]

  /// The transaction of a commit.
  ///
  /// - Parameter schema: the classes of its batch.
  /// - Throws: `ChangesetDecodingError` for damaged bytes.
  public init(_ commit: FeedCommit, schema: Schema) throws {
    path = commit.realm
    position = commit.position
    author = commit.author
    timestamp = commit.timestamp
    instructions = .init(try commit.instructions(), schema: schema)
  }
}
