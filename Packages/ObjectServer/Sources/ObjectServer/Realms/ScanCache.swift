import ChangesetOT
import SyncProtocol

/// The scans of one job: after a commit, hundreds of sessions ask for the same few entries.
///
/// A scan that skipped nothing contains every entry of its range. For another client that made none of these entries, the
/// scan differs only in the client half of the cursors and in the upload cursor, so it is derived instead of read again.
struct ScanCache {
  private struct Key: Hashable {
    var server: ServerVersion
    var byteBudget: Int
  }

  private var complete: [Key: DownloadScan] = [:]

  /// The scan that the store answers, read or derived. A derived one is admitted by the store as one that is read.
  ///
  /// - Throws: the errors of ``HistoryStore/scan(_:)`` and ``HistoryStore/clientFile(_:)``.
  /// - Complexity: O(entries of the scan).
  mutating func scan(_ request: DownloadScanRequest, on store: any HistoryStore) throws -> DownloadScan {
    // The scan of a view does not tell who wrote the entries that it passed over, so it cannot be derived for others.
    if request.view != nil { return try store.scan(request) }
    let key = Key(server: request.from.server, byteBudget: request.byteBudget)
    if let known = complete[key], !known.entries.contains(where: { $0.origin == request.file }),
      let record = try store.clientFile(request.file), request.from.server >= record.bootstrap,
      request.from.server >= (record.pendingCompaction?.upperBound ?? .zero)
    {
      try store.admit(request)
      return Self.derived(known, for: request, upload: record.upload)
    }
    let scan = try store.scan(request)
    let length = scan.progress.download.server.rawValue - request.from.server.rawValue
    if UInt64(scan.entries.count) == length, !scan.isPrivate { complete[key] = scan }
    return scan
  }

  private static func derived(
    _ known: DownloadScan, for request: DownloadScanRequest, upload: UploadCursor
  ) -> DownloadScan {
    var scan = known
    for index in scan.entries.indices { scan.entries[index].cursor.client = request.from.client }
    scan.progress.download.client = request.from.client
    scan.progress.upload = upload
    return scan
  }
}
