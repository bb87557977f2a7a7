import ChangesetOT
import ObjectServer
import Permissions
import RecordStore
import SyncProtocol
import Synchronization

/// Files of realms whose scans are counted, and that may name nobody whom a commit concerns, or fail behind one.
final class ObservedHistories: HistoryStores {
  let inner: any HistoryStores
  private let namesNobody: Bool
  private let counts = Mutex<[FileIdent: Int]>([:])
  private let failsNext = Mutex(false)

  struct Broken: Error {}

  init(_ inner: any HistoryStores, namesNobody: Bool = false) {
    self.inner = inner
    self.namesNobody = namesNobody
  }

  /// The scans for a client so far.
  func scans(for file: FileIdent) -> Int { counts.withLock { $0[file] ?? 0 } }

  /// Has a job fail behind its next commit of uploads, as when a part of them was committed alone.
  func failBehindCommit() { failsNext.withLock { $0 = true } }

  func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore {
    Observed(inner: try inner.open(path, isNew: isNew), of: self)
  }
  func remove(_ path: Permissions.RealmPath) throws { try inner.remove(path) }
  func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws {
    try inner.move(path, to: newPath)
  }

  private final class Observed: HistoryStore {
    let inner: any HistoryStore
    let histories: ObservedHistories

    init(inner: any HistoryStore, of histories: ObservedHistories) {
      self.inner = inner
      self.histories = histories
    }

    func state(claiming version: ServerVersion) throws -> ServerHistoryState { try inner.state(claiming: version) }
    func allocateClientFile() throws -> SaltedFileIdent { try inner.allocateClientFile() }
    func clientFile(_ ident: FileIdent) throws -> ClientFileRecord? { try inner.clientFile(ident) }
    func retire(_ ident: FileIdent) throws { try inner.retire(ident) }
    func admit(_ request: DownloadScanRequest) throws { try inner.admit(request) }
    func scan(_ request: DownloadScanRequest) throws -> DownloadScan {
      histories.counts.withLock { $0[request.file, default: 0] += 1 }
      return try inner.scan(request)
    }
    func untoldWarnings(of ident: FileIdent) throws -> [SessionFailure] { try inner.untoldWarnings(of: ident) }

    func warnings(of scan: inout DownloadScan, for request: DownloadScanRequest) throws -> [SessionFailure] {
      try inner.warnings(of: &scan, for: request)
    }
    func integrate(_ batches: [UploadBatch]) throws -> [SessionFailure?] {
      let outcomes = try inner.integrate(batches)
      if histories.failsNext.withLock({ exchange(&$0, with: false) }) { throw Broken() }
      return outcomes
    }
    func takeViewAudience() throws -> ViewAudience {
      let audience = try inner.takeViewAudience()
      return histories.namesNobody ? .files([]) : audience
    }
    func takeScanAudience() throws -> ViewAudience? { try inner.takeScanAudience() }
    func forgetViewWatcher(_ file: FileIdent) { inner.forgetViewWatcher(file) }
    func suspendViews() throws -> SuspendedViews? { try inner.suspendViews() }
    func resumeViews(_ views: SuspendedViews) throws { try inner.resumeViews(views) }
    var hasUnfinishedWork: Bool { inner.hasUnfinishedWork }
    func close() { inner.close() }
  }
}
