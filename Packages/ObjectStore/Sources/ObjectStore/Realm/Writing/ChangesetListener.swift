import StorageEngine
import RecordStore

/// Receives the changesets of a view's own transactions, each after its commit.
protocol ChangesetListener: AnyObject {
  /// - Parameters:
  ///   - changeset: the instructions of the transaction, encoded; not empty.
  ///   - before: the version that the transaction began with.
  ///   - after: the version that it made.
  func note(_ changeset: [UInt8], from before: ReadView, to after: ReadView) throws
}

extension RealmView {
  /// Hands the changeset of a committed transaction to the listener, if there is one.
  func passOnChangeset(of session: WriteSession, from base: Snapshot?, _ catalog: Catalog, to next: Snapshot) throws {
    guard let changesetListener, let base, !session.recorded.isEmpty else { return }
    try changesetListener.note(
      session.recorded, from: ReadView(base, catalog), to: ReadView(next, try file.catalog(of: next)))
  }
}
