public import ChangesetOT

/// One version of a server's history as a consumer reads it: what one client, or the server itself, changed in one transaction.
public struct FeedEntry: Hashable, Sendable {
  /// The version, with the salt of the server process that made it. Both together name it for good.
  public var position: SaltedServerVersion
  /// The term of the owner that made the version.
  public var epoch: OwnerEpoch
  /// The client file in which the changes were made; ``FileIdent/server`` for what the server itself wrote.
  public var author: FileIdent
  /// The time of the changes on their author's device.
  public var timestamp: OriginTimestamp
  /// The changes in the form of changesets, as every client is sent them.
  public var changeset: [UInt8]

  /// The changes, decoded at each call.
  ///
  /// - Throws: `ChangesetDecodingError` for damaged bytes.
  /// - Complexity: O(*n*) in the bytes of the changeset.
  public func instructions() throws -> [Instruction] {
    try Changeset(decoding: changeset, origin: ChangesetOrigin(timestamp: timestamp, file: author)).instructions
  }
}
