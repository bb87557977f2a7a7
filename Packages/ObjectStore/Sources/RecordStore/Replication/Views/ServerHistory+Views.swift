public import ChangesetOT
import StorageEngine

extension ServerHistory {
  /// The history that a client with a view is to be sent, from its cursor on: what its queries select, and what comes into
  /// them or leaves them.
  ///
  /// While the queries stay the same, the scan has the state `steady` and is what ``scan(for:from:byteLimit:)`` is for
  /// clients without queries. A scan from version 0, and one whose `wanted` set is not the `held` one, is a bootstrap: a run
  /// of scans that are asked for with the same arguments but the cursor of the scan before, the last of which has the state
  /// `last` and the cursor at which `wanted` is held. Their entries count only all together.
  ///
  /// - Parameters:
  ///   - ident: the receiving client.
  ///   - cursor: where its previous scan stopped.
  ///   - view: the queries of the client at the cursor, and those that it asks for.
  ///   - byteLimit: stop adding when this many bytes are collected.
  /// - Throws: `QueryRefusal` when `wanted` cannot be served; ``TrimmedHistoryError`` when the past of the client's objects
  ///   is no longer kept, so that its file must be reset.
  public func viewScan(
    for ident: FileIdent, from cursor: DownloadCursor, view: ViewRequest, byteLimit: Int
  ) throws -> DownloadScan {
    throw QueryRefusal(query: view.wanted.version, message: "queries are not served")
  }

  /// Whether a bootstrap of this client was begun and is not at its end: the next scan goes on with it.
  public func hasViewBootstrap(for ident: FileIdent) -> Bool { false }

  /// Gives up a bootstrap that was begun; the next scan begins anew. To be called when a session begins or ends: what a client
  /// has of an unfinished bootstrap it forgets.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  public func forgetView(of ident: FileIdent) throws {}
}
