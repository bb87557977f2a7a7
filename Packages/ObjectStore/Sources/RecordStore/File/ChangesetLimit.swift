/// How large the changeset of one transaction may be in a realm that is synchronized.
///
/// A changeset travels in one message, and cannot be cut: a larger one could never be uploaded, and everything written after it
/// would stay on the device. It is refused when it is committed, when there is still somebody who can write less at a time.
enum ChangesetLimit {
  /// What every server takes in one message unless its operator allows less, less the head of the message.
  static let usual = (256 << 20) - (64 << 10)

  /// - Throws: ``RecordStoreError`` with the code `invalidInput`, and both sizes.
  static func check(_ changeset: [UInt8], limit: Int) throws {
    guard changeset.count > limit else { return }
    throw RecordStoreError(
      .invalidInput,
      "The transaction is too large to be synchronized: it has \(changeset.count) bytes as a changeset, and at most \(limit) "
        + "can be uploaded. Nothing was written: write less in one transaction.")
  }
}
