public import ChangesetOT
import StorageEngine

/// The client's half of replication: what a realm file has to send, and how it takes in what the server sent.
///
///     let history = ClientHistory(try RealmFile.open(.file(path: "notes.realm"), options: .init(recordsChangesets: true)))
///     let scan = try history.uploadableEntries(after: try history.progress().upload)
///     try history.integrate(downloaded, progress: newProgress)
///
/// A client version is the number of a snapshot of the file; every commit makes one. Calls that write block on the
/// file's write lock. Everything works on in-memory files too and needs no thread of its own.
public struct ClientHistory: Sendable {
  /// The replicated file.
  public let file: RealmFile

  /// The history of `file`, which must record changesets.
  public init(_ file: RealmFile) { self.file = file }

  /// The ident that the server gave this file; `SaltedFileIdent.none` before the first ident.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func fileIdent() throws -> SaltedFileIdent {
    try translatingErrors { try ClientLog.state(in: file.store.latestSnapshot()).ident }
  }

  /// The present identity of the file at the server, and those before its resets: newest first.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func incarnations() throws -> [ClientIncarnation] {
    try translatingErrors {
      let state = try ClientLog.state(in: file.store.latestSnapshot())
      return state.formers.reversed().reduce(
        into: [ClientIncarnation(file: state.ident, settled: state.settled)]
      ) { $0.append($1) }
    }
  }

  /// Stores the ident that the server allocated, in a commit of its own. With the first one, objects without primary key
  /// that were made before it get the keys that they have for everybody.
  /// - Returns: the version that the commit made.
  /// - Throws: ``RecordStoreError`` when the file cannot be written; nothing has then changed.
  @discardableResult
  public func storeFileIdent(_ ident: SaltedFileIdent) throws -> ClientVersion {
    try file.write(isRecorded: false) { session in
      var state = try ClientLog.state(in: session.transaction)
      if state.ident == .none { try ProvisionalKeys(session).assign(for: ident.ident) }
      state.ident = ident
      try ClientLog.setState(state, in: session.transaction)
      return session.nextVersion.clientVersion
    }
  }

  /// The stored progress of file and server.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func progress() throws -> SyncProgress {
    try translatingErrors { try ClientLog.state(in: file.store.latestSnapshot()).progress }
  }

  /// The newest version of the file, as cursors report it: 0 while the file is at its first version.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func newestVersion() throws -> ClientVersion {
    try translatingErrors { try file.store.latestSnapshot().version.clientVersion }
  }

  /// The number of local changesets that the server has not acknowledged.
  /// - Complexity: O(*n*) in the entries of the history behind the acknowledged one.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func pendingCount() throws -> Int {
    try translatingErrors {
      let acknowledged = Int64(clamping: try ClientLog.state(in: file.store.latestSnapshot()).acknowledged.rawValue)
      let log = file.store.log(ClientLog.entries)
      guard let last = try log.lastPosition(), last > acknowledged else { return 0 }
      return try log.entries(in: acknowledged + 1...last).count {
        try ClientLogEntry(decoding: $0.content).isUploadable
      }
    }
  }

  /// Calls `handler` with the newest version after every commit of any process, until the observation ends; where
  /// ``RealmFile/observeCommits(_:)`` does.
  ///
  /// - Throws: ``RecordStoreError`` when commits of other processes cannot be watched.
  public func observeCommits(_ handler: @escaping @Sendable (ClientVersion) -> Void) throws -> RealmCommitObservation {
    try translatingErrors { try RealmCommitObservation(file) { handler($0.clientVersion) } }
  }

  /// Local changesets after `after`, oldest first.
  ///
  /// - Parameters:
  ///   - after: where the previous scan stopped.
  ///   - byteLimit: stop adding when this many bytes are collected; at least one changeset is taken.
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func uploadableEntries(after: UploadCursor, byteLimit: Int = 128 << 10) throws -> UploadScan {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      let state = try ClientLog.state(in: snapshot)
      let integrated = state.progress.download.server
      let newest = snapshot.version.clientVersion
      var scan = UploadScan(entries: [], progress: after, lockedServerVersion: integrated)
      let tail = HistoryTail(file, snapshot)
      var reached = Int64(clamping: max(after.client, state.settled).rawValue)
      var bytes = 0
      while case let found = try tail.entries(after: reached, byteLimit: max(byteLimit - bytes, 1)), !found.isEmpty {
        for (position, entry) in found {
          reached = position
          guard entry.isUploadable else { continue }
          let cursor = UploadCursor(client: ClientVersion(UInt64(position)), server: entry.base)
          scan.entries.append(
            UploadEntry(cursor: cursor, timestamp: entry.timestamp, changeset: entry.changeset))
          bytes += entry.changeset.count
          guard bytes < byteLimit else {
            scan.progress = cursor
            return scan
          }
        }
      }
      if newest > after.client { scan.progress = UploadCursor(client: newest, server: integrated) }
      return scan
    }
  }

  /// Merges and applies what the server sent, and stores the progress, in one commit.
  ///
  /// - Parameters:
  ///   - entries: in the order of the server's history, checked by the protocol machine.
  ///   - progress: the cursors of the message.
  ///   - reports: reports for the application that these entries make true. They are kept in the same commit, until
  ///     ``reportGiven(_:)``.
  /// - Returns: the newest version after the commit.
  /// - Throws: ``BadChangesetError``; the file is then untouched. ``RecordStoreError`` when the disk fails.
  @discardableResult
  public func integrate(
    _ entries: [DownloadEntry], progress: SyncProgress, reports: [PendingReport] = []
  ) throws -> ClientVersion {
    try file.write(isRecorded: false) { session in
      try ClientIntegration(session).integrate(entries, progress: progress)
      try PendingReports.keep(reports, in: session.transaction)
      return session.nextVersion.clientVersion
    }
  }
}
