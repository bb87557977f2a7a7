public import ChangesetOT
public import Permissions
public import class RecordStore.ServerHistory
public import struct RecordStore.SuspendedViews
public import struct RecordStore.ViewQuestion
public import SyncProtocol

/// The consumers of one realm's commits, as the last check of its history found them.
public struct FeedLoad: Hashable, Sendable {
  /// The number of cursors.
  public var cursors = 0
  /// The names of the cursors that have fallen behind, ascending.
  public var behind: [String] = []
  /// The bytes of history before the slowest cursor that has not fallen behind.
  public var bytes = 0

  /// No consumers.
  public init() {}
}

/// The files of one realm on the server: its state, its history and its table of client files, which change in one
/// transaction. One of the server's two interfaces to storage (the other is ``Directory``).
///
/// Functions block and are called by one thread at a time, in the realm's queue. An error means that nothing was changed and
/// that the store must be closed and opened again.
public protocol HistoryStore: AnyObject, Sendable {
  /// The present state of the history, with the salt of the version that a client claims.
  func state(claiming version: ServerVersion) throws -> ServerHistoryState
  /// Allocates a file ident with a salt; durable on return.
  func allocateClientFile() throws -> SaltedFileIdent
  /// The record of a client file; nil when the ident was never allocated.
  func clientFile(_ ident: FileIdent) throws -> ClientFileRecord?
  /// Retires a client file: later uploads under its ident are refused. Durable on return.
  func retire(_ ident: FileIdent) throws
  /// Checks that the user of a request may be sent what it asks for, as ``scan(_:)`` does before it reads.
  ///
  /// - Throws: ``SyncProtocol/SessionFailure`` when the session must end; the errors of the store.
  func admit(_ request: DownloadScanRequest) throws
  /// Scans the history for one client, within its queries if the request has a view.
  ///
  /// - Throws: besides errors of the store `TrimmedHistoryError` when the client must be reset, and `QueryRefusal` when the
  ///   wanted queries cannot be served, and ``SyncProtocol/SessionFailure`` when the session must end; after these three
  ///   the store stays usable.
  func scan(_ request: DownloadScanRequest) throws -> DownloadScan
  /// The compensating writes that a client is told of before the scan that undoes its uploads. Every scan of these versions has
  /// them, since a connection may break before. The scan gets an entry at each of the versions, if it has none: stock clients
  /// report them with it.
  ///
  /// - Throws: the errors of the store.
  func warnings(of scan: inout DownloadScan, for request: DownloadScanRequest) throws -> [SessionFailure]
  /// The compensating writes of which a client has not acknowledged to be told, of its present ident or one given up.
  ///
  /// - Throws: the errors of the store.
  func untoldWarnings(of ident: FileIdent) throws -> [SessionFailure]
  /// Integrates uploads of several clients, in one transaction as long as nothing is refused; durable when it returns. When it throws, some
  /// may be integrated: their clients hear of it when they come back.
  ///
  /// - Parameter batches: those of one client file are in order. When one fails, it and the later ones of that file are left
  ///   out, the others proceed.
  /// - Returns: for each batch nil, or why it was left out. A compensating write leaves nothing out: it says how a batch
  ///   is undone, as ``warnings(of:for:)`` tells its author.
  func integrate(_ batches: [UploadBatch]) throws -> [SessionFailure?]
  /// The cursors of the realm's commit feed, as the last check of the history found them.
  var feedLoad: FeedLoad { get }
  /// Calls `handler` after every durable commit that appended to the history, on the committing thread: uploads, and what
  /// this process writes to the realm's file itself. A call may come without anything new. From any thread.
  ///
  /// - Returns: the observation, which ends with its last reference; to be dropped before the files are closed. Nil when the
  ///   store does not tell.
  func observeCommits(_ handler: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)?
  /// The clients with queries for which the versions since the last call may have something. A client watches from the scan
  /// that brought it to the end of the history until it is forgotten, or a scan does less; others are in no audience.
  ///
  /// - Throws: errors of the store.
  func takeViewAudience() throws -> ViewAudience
  /// The clients with queries that what scans wrote may concern, since the last call: the objects of users who connected. Nil
  /// when they wrote nothing.
  ///
  /// - Throws: the errors of the store.
  func takeScanAudience() throws -> ViewAudience?
  /// Ends what tasks wrote: the clients with queries that it may concern, since the last call.
  ///
  /// - Throws: the errors of the store.
  func takeTaskAudience() throws -> ViewAudience
  /// Forgets a client that watches: its session began or ended.
  func forgetViewWatcher(_ file: FileIdent)
  /// The views that clients watch, to be handed to the store that opens the files next; nil when the store watches for
  /// nobody.
  ///
  /// - Throws: errors of the store; everyone is then told of the next commit.
  func suspendViews() throws -> SuspendedViews?
  /// Watches on for those for whom the store before did.
  ///
  /// - Throws: errors of the store.
  func resumeViews(_ views: SuspendedViews) throws
  /// Explains why a user's devices hold an object, or do not; nil when the store does not tell.
  ///
  /// - Throws: `ViewQuestionError` for a key that is none of its class; errors of the store.
  func explain(_ question: ViewQuestion) throws -> SyncExplanation?
  /// The realm's file with its GraphQL schemas, while it is open; nil when the store keeps realms elsewhere.
  var graphQL: GraphQLCaches? { get }
  /// Whether closing would lose work that is under way. From any thread.
  var hasUnfinishedWork: Bool { get }
  /// Closes the files; they are closed on return. No function may be called afterwards.
  func close()
}

extension HistoryStore {
  /// Everyone: the store does not tell whom versions concern.
  ///
  /// - Throws: never.
  public func takeViewAudience() throws -> ViewAudience { .everyone }
  /// The audience of views.
  ///
  /// - Throws: as ``takeViewAudience()``.
  public func takeTaskAudience() throws -> ViewAudience { try takeViewAudience() }
  /// Nil: the store writes nothing in scans.
  ///
  /// - Throws: never.
  public func takeScanAudience() throws -> ViewAudience? { nil }
  /// Does nothing.
  public func forgetViewWatcher(_ file: FileIdent) {}
  /// Nil.
  ///
  /// - Throws: never.
  public func suspendViews() throws -> SuspendedViews? { nil }
  /// Does nothing.
  ///
  /// - Throws: never.
  public func resumeViews(_ views: SuspendedViews) throws {}
  /// Nil.
  ///
  /// - Throws: never.
  public func explain(_ question: ViewQuestion) throws -> SyncExplanation? { nil }
  /// Nil.
  public var graphQL: GraphQLCaches? { nil }
  /// False.
  public var hasUnfinishedWork: Bool { false }
  /// None.
  public var feedLoad: FeedLoad { FeedLoad() }
  /// Does nothing.
  public func observeCommits(_ handler: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? { nil }
}

/// Opens the files of realms.
public protocol HistoryStores: Sendable {
  /// Opens the files of a realm, making them when missing. Blocks; called off the loop.
  ///
  /// - Parameter isNew: whether there was no realm at the path before. When there was one and its files are missing, they
  ///   are lost, and clients hold idents that they gave out.
  func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore
  /// The history of a realm for a consumer of its commits; nil when the realm has no files, or the stores keep none that
  /// can be followed. Blocks; called off the loop.
  func history(of path: Permissions.RealmPath) throws -> ServerHistory?
  /// Removes the files of a realm that is not open. Does nothing when there are none.
  func remove(_ path: Permissions.RealmPath) throws
  /// Moves the files of a realm that is not open to another path, where none are.
  func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws
  /// Returns the memory of closed realms to the system. Blocks; called on the executor.
  func releaseMemory()
}

extension HistoryStores {
  /// Nil: these histories cannot be followed.
  ///
  /// - Throws: never.
  public func history(of path: Permissions.RealmPath) throws -> ServerHistory? { nil }
  /// Does nothing.
  public func releaseMemory() {}
}
