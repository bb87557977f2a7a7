import ChangesetOT
import ObjectServer
import SyncProtocol
import Synchronization

/// One journal: the history, the client files, and the reciprocal forms of the entries that a client has yet to see.
final class JournalHistory: HistoryStore {
  private let journal: Mutex<Journal>
  private let random: RandomSource

  init(random: RandomSource) {
    self.random = random
    journal = Mutex(Journal(salt: random.salt()))
  }

  func close() {}

  func state(claiming version: ServerVersion) throws -> ServerHistoryState {
    journal.withLock { journal in
      ServerHistoryState(
        current: journal.current,
        saltOfClaim: version > journal.current.version ? nil : (version == .zero ? 0 : journal.salt))
    }
  }

  func allocateClientFile() throws -> SaltedFileIdent {
    let salt = random.salt()
    return journal.withLock { journal in
      let ident = FileIdent(UInt64(journal.files.count) + 2)
      journal.files[ident] = ClientFileRecord(salt: salt)
      return SaltedFileIdent(ident: ident, salt: salt)
    }
  }

  func clientFile(_ ident: FileIdent) throws -> ClientFileRecord? { journal.withLock { $0.files[ident] } }

  func retire(_ ident: FileIdent) throws { journal.withLock { $0.files[ident]?.isExpired = true } }

  func admit(_ request: DownloadScanRequest) throws {}

  func scan(_ request: DownloadScanRequest) throws -> DownloadScan {
    journal.withLock { journal in
      var cursor = request.from
      var entries: [DownloadEntry] = []
      var bytes = 0
      var remaining = 0
      for entry in journal.entries(after: request.from.server) {
        if bytes >= request.byteBudget {
          remaining += entry.bytes.count
          continue
        }
        cursor.server = entry.version
        if entry.author == request.file {
          cursor.client = entry.authorVersion
        } else if !entry.bytes.isEmpty {
          bytes += entry.bytes.count
          entries.append(
            DownloadEntry(cursor: cursor, timestamp: entry.timestamp, origin: entry.author, changeset: entry.bytes))
        }
      }
      return DownloadScan(
        progress: SyncProgress(
          latestServerVersion: journal.current, download: cursor, upload: journal.files[request.file]?.upload ?? .zero),
        remainingBytes: remaining, reachedEnd: cursor.server == journal.current.version, entries: entries)
    }
  }

  func warnings(of scan: inout DownloadScan, for request: DownloadScanRequest) throws -> [SessionFailure] { [] }

  func untoldWarnings(of ident: FileIdent) throws -> [SessionFailure] { [] }

  func integrate(_ batches: [UploadBatch]) throws -> [SessionFailure?] {
    journal.withLock { journal in
      var failed: Set<FileIdent> = []
      return batches.map { batch in
        if failed.contains(batch.file) {
          return SessionFailure(.badChangeset, "a changeset before this one was refused")
        }
        let failure = journal.integrate(batch)
        if failure != nil { failed.insert(batch.file) }
        return failure
      }
    }
  }
}
