import ChangesetOT

/// The shorter form of a range of a server's history. Equal ranges have equal forms.
struct CompactedPast: Sendable {
  /// The versions that it stands for.
  let versions: ClosedRange<ServerVersion>
  /// The entries that are left, by ascending versions, each under the version that it had.
  let entries: [(version: ServerVersion, entry: ServerLogEntry)]
  /// Bytes of what is left.
  let bytes: Int

  /// The part that a client has not got yet.
  ///
  /// - Parameters:
  ///   - cursor: within the versions, or just before them.
  ///   - byteLimit: stop adding when this many bytes are collected; at least one entry is taken.
  ///   - state: the extent of the history.
  ///   - upload: the client's stored upload cursor.
  func scan(from cursor: DownloadCursor, byteLimit: Int, _ state: ServerState, upload: UploadCursor) -> DownloadScan {
    var reached = cursor
    var found: [DownloadEntry] = []
    var size = 0
    var left = entries[(entries.firstIndex { $0.version > cursor.server } ?? entries.endIndex)...]
    while size < byteLimit, let (version, entry) = left.popFirst() {
      reached.server = version
      found.append(
        DownloadEntry(
          cursor: reached, timestamp: entry.timestamp, origin: entry.author.file, changeset: entry.changeset))
      size += entry.changeset.count
    }
    if left.isEmpty { reached.server = versions.upperBound }
    return DownloadScan(
      progress: SyncProgress(latestServerVersion: state.salted, download: reached, upload: upload),
      remainingBytes: left.reduce(0) { $0 + $1.entry.changeset.count },
      reachedEnd: reached.server >= state.current, isPrivate: true, entries: found)
  }
}
