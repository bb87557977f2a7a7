import ChangesetOT
import RecordStore
@testable import SyncClient
import SyncProtocol
import Synchronization

/// A client file that holds opaque changesets instead of objects.
final class PlainFile: SyncedFile {
  struct Entry {
    var version: ClientVersion
    var base: ServerVersion
    var changeset: [UInt8]
  }
  struct Content {
    var file = SaltedFileIdent.none
    var progress = SyncProgress()
    var newest = ClientVersion(1)
    var local: [Entry] = []
    var remote: [[UInt8]] = []
    var observers: [Int: @Sendable (ClientVersion) -> Void] = [:]
    var reports: [SyncFailure] = []
    var failsIntegration = false
    /// The calls of ``pendingUploads()``.
    var counts = 0
  }
  let content = Mutex(Content())
  let lockPath: String?

  init(lockPath: String? = nil) { self.lockPath = lockPath }

  struct Broken: Error {}

  func commit(_ changeset: [UInt8]) {
    changed { content in
      content.newest.rawValue += 1
      content.local.append(Entry(version: content.newest, base: content.progress.download.server, changeset: changeset))
    }
  }

  @discardableResult
  private func changed(_ edit: (inout Content) throws -> Void) rethrows -> ClientVersion {
    let (newest, observers) = try content.withLock { content in
      try edit(&content)
      return (content.newest, Array(content.observers.values))
    }
    for observer in observers { observer(newest) }
    return newest
  }

  func state() throws -> FileState {
    let pending = try pendingUploads()
    return content.withLock {
      FileState(file: $0.file, progress: $0.progress, newest: $0.newest, pendingUploads: pending, reports: $0.reports)
    }
  }

  func storeFileIdent(_ file: SaltedFileIdent) throws -> ClientVersion {
    changed { content in
      content.file = file
      content.newest.rawValue += 1
    }
  }

  func scan(_ request: UploadScanRequest) throws -> UploadScan {
    content.withLock { content in
      let entries = content.local.filter { $0.version > request.after.client }.map {
        UploadEntry(
          cursor: UploadCursor(client: $0.version, server: $0.base), timestamp: OriginTimestamp(1),
          changeset: $0.changeset)
      }
      return UploadScan(
        entries: entries, progress: UploadCursor(client: content.newest, server: content.progress.download.server),
        lockedServerVersion: content.progress.download.server)
    }
  }

  func integrate(_ message: DownloadMessage, reports: [SyncFailure]) throws -> IntegratedBatch {
    let newest = try changed { content in
      if content.failsIntegration { throw Broken() }
      content.remote += message.entries.map { Array($0.changeset) }
      content.progress = message.progress
      content.reports += reports
      content.newest.rawValue += 1
    }
    return IntegratedBatch(newest: newest, progress: message.progress)
  }

  func given(_ report: SyncFailure) { content.withLock { $0.reports.removeAll { $0 == report } } }

  func pendingUploads() throws -> PendingUploads {
    content.withLock { content in
      content.counts += 1
      let pending = content.local.filter { $0.version > content.progress.upload.client }
      return PendingUploads(changesets: pending.count, bytes: pending.reduce(0) { $0 + $1.changeset.count })
    }
  }

  func observeCommits(_ handler: @escaping @Sendable (ClientVersion) -> Void) throws -> any Sendable {
    let number = content.withLock { content in
      let number = content.observers.count
      content.observers[number] = handler
      return number
    }
    return SyncToken { [weak self] in _ = self?.content.withLock { $0.observers.removeValue(forKey: number) } }
  }

  func code(for error: any Error) -> ProtocolErrorCode { .badChangeset }

  /// The contents: local and remote changesets, as a set.
  var shown: Set<[UInt8]> { content.withLock { Set($0.local.map(\.changeset)).union($0.remote) } }
}
