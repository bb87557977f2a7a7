public import ChangesetOT
import StorageEngine
import Synchronization

/// The server's half of replication: one realm file with its state, its history and its table of client files, all
/// changing in one transaction.
///
///     let history = try ServerHistory(try RealmFile.open(.file(path: "42.realm")), random: &generator)
///     let ident = try history.allocateClientFile(random: &generator)
///     let outcomes = try history.integrate([batch])
///     let scan = try history.scan(for: ident.ident, from: .zero, byteLimit: 16 << 20)
///
/// Safe to use from any thread; writes wait for each other. The same file can be opened as a `Realm`: what is written
/// there becomes a changeset of the server itself.
public final class ServerHistory: Sendable {
  /// The served file.
  public let file: RealmFile
  let incarnation: ServerIncarnation
  let isNew: Bool
  let writeSets = Mutex(RecentWriteSets())
  let served = Mutex(ServedEntries())
  /// The shorter form of history that was made last.
  let compaction = Mutex<CompactedPast?>(nil)
  /// Bootstraps of clients with views that are under way.
  let bootstraps = Mutex<[FileIdent: ViewBootstrap]>([:])
  /// The permissions inside the realm that were looked at last.
  let permissions = Mutex<KnownPermissions?>(nil)
  /// The revision of the catalog whose classes have access lists.
  let openedRevision = Mutex<UInt64?>(nil)
  /// The parts of views that are remembered.
  let views: ViewMemory
  /// The views that clients watch.
  let sharedViews = Mutex(SharedViews())

  /// The history of `file`, made ready when the file is new.
  ///
  /// - Parameters:
  ///   - random: draws the salt of a new history.
  ///   - incarnation: the salt of the versions that are made through this value. A server draws one in each process, so
  ///     that versions made after the restoration of a backup differ from those of the same number made before it, however
  ///     the files were restored. Nil goes on with the salt of the file.
  ///   - epoch: the term of the realm's owner that makes versions through this value, and of what this process writes to the
  ///     file otherwise. Nil goes on with the epoch of the file.
  ///   - isNew: whether the realm never had another file than this one. When that is lost, clients may hold idents that it
  ///     gave out, and no other file must give them out again.
  /// - Throws: ``RecordStoreError`` with code `incompatibleHistories` for a file that is a client's, or holds unrecorded
  ///   objects, or in which a later epoch has written.
  public init(
    _ file: RealmFile, random: inout some RandomNumberGenerator, incarnation: Int64? = nil, epoch: OwnerEpoch? = nil,
    isNew: Bool = true
  ) throws {
    self.file = file
    self.incarnation = ServerIncarnation(salt: incarnation, epoch: epoch)
    self.isNew = isNew
    if let epoch {
      let latest = try translatingErrors { try ServerEpochs(in: file.store.latestSnapshot()).latest }
      guard epoch >= latest else { throw ServerEpochs.endedEpoch(epoch, latest: latest) }
    }
    let state = try translatingErrors { try ServerState(in: file.store.latestSnapshot()) }
    views = ViewMemory(since: state?.current ?? .zero)
    file.take(self.incarnation)
    guard state == nil else { return }
    let salt = drawSalt(&random)
    try file.prepareHistory(.server)
    try file.write(isRecorded: false) { session in
      guard try ServerState(in: session.transaction) == nil else { return }
      try ServerState(salt: salt).store(in: session.transaction)
      try ClientFileTable.prepare(session.transaction, salt: salt)
    }
  }

  /// The extent of the history.
  /// - Parameter claim: the version that a client says it heard of; its salt is looked up.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func state(claim: ServerVersion = .zero) throws -> ServerHistoryState {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      return ServerHistoryState(
        current: state.salted,
        base: state.base, saltOfClaim: try ServerSalts.salt(of: claim, state, in: snapshot))
    }
  }

  static var unprepared: StorageError {
    StorageError(.corrupt, "The server's file has lost its history. Restore it from a backup.")
  }
}

/// A random number that a wire can carry as a salt: 1 … 2^63 - 1.
func drawSalt(_ random: inout some RandomNumberGenerator) -> Int64 {
  Int64.random(in: 1...Int64.max, using: &random)
}
