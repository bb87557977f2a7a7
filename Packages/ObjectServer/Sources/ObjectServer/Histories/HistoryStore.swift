public import ChangesetOT
public import Permissions
public import SyncProtocol

/// The files of one realm on the server: its state, its history and its table of client files, which change in one
/// transaction. One of the server's two seams to storage (the other is ``Directory``).
///
/// Methods block. They are called by one thread at a time, off the loop. A thrown error means that nothing was changed and
/// that the store cannot be trusted any more: it is closed and opened again.
public protocol HistoryStore: AnyObject, Sendable {
  /// The history as of now, with the salt of the version that a client claims.
  func state(claiming version: ServerVersion) throws -> ServerHistoryState
  /// Gives out a file ident with a salt; durable when it returns.
  func allocateClientFile() throws -> SaltedFileIdent
  /// What is known about a client file; nil when the ident was never given out.
  func clientFile(_ ident: FileIdent) throws -> ClientFileRecord?
  /// Gives a client file up: nothing is integrated any more that is uploaded under its ident. Durable when it returns.
  func retire(_ ident: FileIdent) throws
  /// Scans the history for one client.
  func scan(_ request: DownloadScanRequest) throws -> DownloadScan
  /// Integrates uploads of several clients in one transaction; durable when it returns.
  ///
  /// - Parameter batches: those of one client file are in order. When one fails, it and the later ones of that file are left
  ///   out, the others proceed.
  /// - Returns: for each batch nil, or why it was left out. A compensating write leaves nothing out: it says how a batch
  ///   without effect is undone.
  func integrate(_ batches: [UploadBatch]) throws -> [SessionFailure?]
  /// Whether work is under way that closing would lose. Called from any thread.
  var hasUnfinishedWork: Bool { get }
  /// Closes the files; they are closed when it returns. Nothing is called afterwards.
  func close()
}

extension HistoryStore {
  public var hasUnfinishedWork: Bool { false }
}

/// Opens the files of realms.
public protocol HistoryStores: Sendable {
  /// Opens the files of a realm, making them when missing. Blocks; called off the loop.
  ///
  /// - Parameter isNew: whether there was no realm at the path before. When there was one and its files are missing, they
  ///   are lost, and clients hold idents that they gave out.
  func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore
  /// Removes the files of a realm that is not open. Does nothing when there are none.
  func remove(_ path: Permissions.RealmPath) throws
  /// Moves the files of a realm that is not open to another path, where none are.
  func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws
  /// Gives memory back to the system that closed realms had. Called off the loop, after realms were closed.
  func releaseMemory()
}

extension HistoryStores {
  public func releaseMemory() {}
}
