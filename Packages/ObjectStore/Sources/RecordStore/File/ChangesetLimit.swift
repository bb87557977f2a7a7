/// The largest changeset of one transaction in a synchronized realm.
///
/// A changeset travels in one message, and cannot be cut: a larger one could never be uploaded, and everything written after it
/// would stay on the device. The commit refuses it, while the application can still write less at a time.
enum ChangesetLimit {
  /// The size of a message that every server accepts unless its operator allows less, minus the head of the message.
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
