import ChangesetOT
import ObjectServer
import Permissions
import RecordStore
import SyncProtocol
import Synchronization

/// Files of realms whose scans are counted, and that may name nobody whom a commit concerns.
final class ObservedHistories: HistoryStores {
  let inner: any HistoryStores
  private let namesNobody: Bool
  private let counts = Mutex<[FileIdent: Int]>([:])

  init(_ inner: any HistoryStores, namesNobody: Bool = false) {
    self.inner = inner
    self.namesNobody = namesNobody
  }

  /// The scans for a client so far.
  func scans(for file: FileIdent) -> Int { counts.withLock { $0[file] ?? 0 } }

  func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore {
    Observed(inner: try inner.open(path, isNew: isNew), namesNobody: namesNobody) { [self] file in
      counts.withLock { $0[file, default: 0] += 1 }
    }
  }
  func remove(_ path: Permissions.RealmPath) throws { try inner.remove(path) }
  func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws {
    try inner.move(path, to: newPath)
  }

  private final class Observed: HistoryStore {
    let inner: any HistoryStore
    let namesNobody: Bool
    let count: @Sendable (FileIdent) -> Void

    init(inner: any HistoryStore, namesNobody: Bool, count: @escaping @Sendable (FileIdent) -> Void) {
      self.inner = inner
      self.namesNobody = namesNobody
      self.count = count
    }

    func state(claiming version: ServerVersion) throws -> ServerHistoryState { try inner.state(claiming: version) }
    func allocateClientFile() throws -> SaltedFileIdent { try inner.allocateClientFile() }
    func clientFile(_ ident: FileIdent) throws -> ClientFileRecord? { try inner.clientFile(ident) }
    func retire(_ ident: FileIdent) throws { try inner.retire(ident) }
    func admit(_ request: DownloadScanRequest) throws { try inner.admit(request) }
    func scan(_ request: DownloadScanRequest) throws -> DownloadScan {
      count(request.file)
      return try inner.scan(request)
    }
    func untoldWarnings(of ident: FileIdent) throws -> [SessionFailure] { try inner.untoldWarnings(of: ident) }

    func warnings(of scan: inout DownloadScan, for request: DownloadScanRequest) throws -> [SessionFailure] {
      try inner.warnings(of: &scan, for: request)
    }
    func integrate(_ batches: [UploadBatch]) throws -> [SessionFailure?] { try inner.integrate(batches) }
    func takeViewAudience() throws -> ViewAudience {
      let audience = try inner.takeViewAudience()
      return namesNobody ? .files([]) : audience
    }
    func takeScanAudience() throws -> ViewAudience? { try inner.takeScanAudience() }
    func forgetViewWatcher(_ file: FileIdent) { inner.forgetViewWatcher(file) }
    func suspendViews() throws -> SuspendedViews? { try inner.suspendViews() }
    func resumeViews(_ views: SuspendedViews) throws { try inner.resumeViews(views) }
    var hasUnfinishedWork: Bool { inner.hasUnfinishedWork }
    func close() { inner.close() }
  }
}
