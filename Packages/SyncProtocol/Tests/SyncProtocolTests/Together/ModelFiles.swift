import ChangesetOT
import SyncProtocol

/// A client file without contents: versions and a history of opaque changesets.
struct ModelClientFile {
  struct Entry {
    var version: ClientVersion
    var base: ServerVersion
    var changeset: [UInt8]
  }
  var file = SaltedFileIdent.none
  var progress = SyncProgress()
  var newest = ClientVersion(1)
  var local: [Entry] = []
  /// Changesets of others, in the order in which they were integrated.
  var remote: [[UInt8]] = []

  mutating func commit(_ changeset: [UInt8]) {
    newest.rawValue += 1
    local.append(Entry(version: newest, base: progress.download.server, changeset: changeset))
  }

  mutating func store(_ ident: SaltedFileIdent) {
    file = ident
    newest.rawValue += 1
  }

  mutating func integrate(_ message: DownloadMessage) {
    remote += message.entries.map { Array($0.changeset) }
    progress = message.progress
    newest.rawValue += 1
  }

  func scan(_ request: UploadScanRequest) -> UploadScan {
    var entries: [UploadEntry] = []
    var bytes = 0
    var reached = newest
    for entry in local where entry.version > request.after.client {
      if bytes > request.byteBudget {
        reached = entries.last?.cursor.client ?? reached
        break
      }
      bytes += entry.changeset.count
      entries.append(
        UploadEntry(
          cursor: UploadCursor(client: entry.version, server: entry.base), timestamp: OriginTimestamp(1),
          changeset: entry.changeset))
    }
    let server = reached == newest ? progress.download.server : entries.last?.cursor.server ?? .zero
    return UploadScan(
      entries: entries, progress: UploadCursor(client: reached, server: server),
      lockedServerVersion: progress.download.server)
  }
}

/// A server file without contents: a history of opaque changesets and a table of client files.
struct ModelServerFile {
  struct Entry {
    var author: FileIdent
    var client: ClientVersion
    var changeset: [UInt8]
  }
  let salt: Int64 = 4_242
  var history: [Entry] = []
  var clients: [FileIdent: ClientFileRecord] = [:]

  var current: SaltedServerVersion {
    SaltedServerVersion(version: ServerVersion(UInt64(history.count)), salt: history.isEmpty ? 0 : salt)
  }

  mutating func allocate() -> SaltedFileIdent {
    let file = SaltedFileIdent(ident: FileIdent(UInt64(clients.count) + 2), salt: Int64(clients.count) + 77)
    clients[file.ident] = ClientFileRecord(salt: file.salt)
    return file
  }

  func state(for claim: ClientIdentMessage) -> ServerHistoryState {
    let version = claim.latestServerVersion.version
    return ServerHistoryState(
      current: current, saltOfClaim: version == .zero ? 0 : version <= current.version ? salt : nil)
  }

  mutating func integrate(_ batch: UploadBatch) {
    for entry in batch.entries {
      history.append(Entry(author: batch.file, client: entry.cursor.client, changeset: entry.changeset))
    }
    clients[batch.file]?.upload = batch.progress
    clients[batch.file]?.lockedServerVersion = batch.lockedServerVersion
  }

  func scan(_ request: DownloadScanRequest) -> DownloadScan {
    var cursor = request.from
    var entries: [DownloadEntry] = []
    var bytes = 0
    for index in history.indices.dropFirst(Int(request.from.server.rawValue)) {
      if bytes >= request.byteBudget { break }
      let entry = history[index]
      cursor.server = ServerVersion(UInt64(index) + 1)
      if entry.author == request.file {
        cursor.client = entry.client
      } else {
        bytes += entry.changeset.count
        entries.append(
          DownloadEntry(cursor: cursor, timestamp: OriginTimestamp(1), origin: entry.author, changeset: entry.changeset)
        )
      }
    }
    let upload = clients[request.file]?.upload ?? .zero
    return DownloadScan(
      progress: SyncProgress(latestServerVersion: current, download: cursor, upload: upload),
      reachedEnd: cursor.server == current.version, entries: entries)
  }
}
