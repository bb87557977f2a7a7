import ChangesetOT
import Synchronization
@testable import ObjectServer
import Permissions
import SyncProtocol

/// A history without merging, in memory, that outlives servers: enough to watch what the server does with it.
final class PlainHistory: HistoryStore {
  struct Entry: Sendable {
    var timestamp: OriginTimestamp
    var author: FileIdent
    var authorVersion: ClientVersion
    var bytes: [UInt8]
  }
  struct Content: Sendable {
    var entries: [Entry] = []
    var files: [FileIdent: ClientFileRecord] = [:]
    var nextIdent: UInt64 = 2
    var failsCommits = false
    var groupSizes: [Int] = []
    var isOpen = false
    var isBusy = false
    var openings = 0
  }
  static let salt: Int64 = 4711
  static let badBytes: [UInt8] = [0xFF, 0xFE, 0xFD]

  let content = Mutex(Content())

  struct DiskFull: Error {}

  func state(claiming version: ServerVersion) throws -> ServerHistoryState {
    content.withLock { content in
      let count = UInt64(content.entries.count)
      return ServerHistoryState(
        current: SaltedServerVersion(version: ServerVersion(count), salt: count == 0 ? 0 : Self.salt),
        saltOfClaim: version.rawValue > count ? nil : (version == .zero ? 0 : Self.salt))
    }
  }

  func allocateClientFile() throws -> SaltedFileIdent {
    content.withLock { content in
      let file = SaltedFileIdent(ident: FileIdent(content.nextIdent), salt: Int64(content.nextIdent) * 1_000)
      content.files[file.ident] = ClientFileRecord(salt: file.salt)
      content.nextIdent += 1
      return file
    }
  }

  func clientFile(_ ident: FileIdent) throws -> ClientFileRecord? { content.withLock { $0.files[ident] } }

  func retire(_ ident: FileIdent) throws { content.withLock { $0.files[ident]?.isExpired = true } }

  func admit(_ request: DownloadScanRequest) throws {}

  func scan(_ request: DownloadScanRequest) throws -> DownloadScan {
    content.withLock { content in
      var entries: [DownloadEntry] = []
      var cursor = request.from
      var bytes = 0
      for (index, entry) in content.entries.enumerated() where index >= request.from.server.rawValue {
        if bytes >= request.byteBudget { break }
        bytes += entry.author == request.file ? 0 : entry.bytes.count
        cursor.server = ServerVersion(UInt64(index) + 1)
        if entry.author == request.file {
          cursor.client = entry.authorVersion
        } else {
          entries.append(
            DownloadEntry(cursor: cursor, timestamp: entry.timestamp, origin: entry.author, changeset: entry.bytes))
        }
      }
      let count = UInt64(content.entries.count)
      return DownloadScan(
        progress: SyncProgress(
          latestServerVersion: SaltedServerVersion(version: ServerVersion(count), salt: count == 0 ? 0 : Self.salt),
          download: cursor, upload: content.files[request.file]?.upload ?? .zero),
        reachedEnd: cursor.server.rawValue == count, entries: entries)
    }
  }

  func warnings(of scan: inout DownloadScan, for request: DownloadScanRequest) throws -> [SessionFailure] { [] }

  func untoldWarnings(of ident: FileIdent) throws -> [SessionFailure] { [] }

  func integrate(_ batches: [UploadBatch]) throws -> [SessionFailure?] {
    try content.withLock { content in
      if content.failsCommits { throw DiskFull() }
      content.groupSizes.append(batches.count)
      var failed: Set<FileIdent> = []
      return batches.map { batch in
        if failed.contains(batch.file) || batch.entries.contains(where: { $0.changeset == Self.badBytes }) {
          failed.insert(batch.file)
          return SessionFailure(.badChangeset, "bad changeset")
        }
        if batch.hasNoEffect, !ReadOnlyUploadPolicy.isSchemaOnly(batch) {
          return ReadOnlyUploadPolicy.refusal(rule: batch.accessRule)
        }
        for entry in batch.entries {
          content.entries.append(
            Entry(
              timestamp: entry.timestamp, author: batch.file, authorVersion: entry.cursor.client,
              bytes: batch.hasNoEffect ? [] : entry.changeset))
        }
        content.files[batch.file]?.upload = batch.progress
        return nil
      }
    }
  }

  var hasUnfinishedWork: Bool { content.withLock { $0.isBusy } }

  func close() { content.withLock { $0.isOpen = false } }
}

/// The histories of all realms of a test.
final class PlainHistories: HistoryStores {
  private let histories = Mutex<[Permissions.RealmPath: PlainHistory]>([:])

  func open(_ path: Permissions.RealmPath, isNew: Bool) throws -> any HistoryStore {
    let history = history(path)
    history.content.withLock { content in
      precondition(!content.isOpen, "a realm is opened by one sequencer at a time")
      content.isOpen = true
      content.openings += 1
    }
    return history
  }

  func remove(_ path: Permissions.RealmPath) throws { histories.withLock { $0[path] = nil } }

  func move(_ path: Permissions.RealmPath, to newPath: Permissions.RealmPath) throws {
    histories.withLock { histories in
      histories[newPath] = histories[path]
      histories[path] = nil
    }
  }

  func history(_ path: Permissions.RealmPath) -> PlainHistory {
    histories.withLock { histories in
      if let history = histories[path] { return history }
      let history = PlainHistory()
      histories[path] = history
      return history
    }
  }

  func history(_ path: String) throws -> PlainHistory { history(try Permissions.RealmPath(path)) }
}
