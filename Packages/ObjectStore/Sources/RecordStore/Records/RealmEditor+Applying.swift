public import ChangesetOT

extension RealmEditor {
  /// Applies a commit of another file as it stands: for a copy that follows the commits of a realm.
  ///
  /// - Precondition: the file records no changesets; a copy has no history of its own.
  /// - Throws: ``BadChangesetError`` when the changeset does not fit what the file holds; the transaction is then to be rolled
  ///   back. ``RecordStoreError`` when the file cannot be written.
  /// - Complexity: O(*n*) in the changeset.
  public func apply(_ changeset: [UInt8]) throws {
    precondition(writer.recorder == nil, "a file that records its own changesets does not follow another one")
    try translatingErrors {
      var decoder = ChangesetDecoder()
      try ChangesetApplier(writer: writer).apply(changeset[...], with: &decoder, at: 0)
    }
  }

  /// Names the author of the running transaction: consumers of the realm's commits tell by it which ones are their own.
  ///
  /// - Parameter author: one that ``ServerHistory/feedAuthor(_:random:)`` gave out. In files that are no server's it has no
  ///   effect.
  public func sign(as author: FileIdent) { session.author = author }
}
