import ChangesetOT
import RecordStore
import SyncProtocol

/// Bounds the times of changesets: one from the future would win every conflict until that time.
///
/// The time of a changeset only counts against changesets that its author had not seen, and that had not seen it. A time that is
/// later than the server's by more than ``tolerance``, and later than that of every changeset that its author had not seen, is
/// lowered, to just above both. So it still wins where its author's device, which keeps its own time, has it win; what is made
/// later and has not seen it meets the lowered time on every device. A time that is not above both is left as it is. All
/// devices therefore come to the same end whatever the clocks say, also when the server's is set back.
struct OriginBound {
  /// The most milliseconds by which a changeset's time may be later than the server's clock.
  static let tolerance: UInt64 = 5 * 60 * 1_000
  /// The bytes of history that are scanned at a time.
  private static let step = 1 << 20

  /// The server's time.
  let now: OriginTimestamp
  let history: ServerHistory

  /// The uploads with lowered times, where they claim too much.
  ///
  /// - Parameter batches: in the order in which they will be integrated.
  /// - Complexity: O(entries); for each batch that claims too much also O(history that its author had not seen).
  func bounded(_ batches: [UploadBatch]) throws -> [UploadBatch] {
    let plain = now.rawValue.addingReportingOverflow(Self.tolerance).partialValue
    guard batches.contains(where: { $0.entries.contains { $0.timestamp.rawValue > plain } }) else { return batches }
    var batches = batches
    // Earlier batches of the same commit were not seen either.
    var latest: [FileIdent: UInt64] = [:]
    for number in batches.indices {
      let file = batches[number].file
      let others = latest.lazy.filter { $0.key != file }.map(\.value).max() ?? 0
      try lower(&batches[number], limit: max(plain, others))
      let own = batches[number].entries.lazy.map(\.timestamp.rawValue).max() ?? 0
      latest[file] = max(latest[file] ?? 0, own)
    }
    return batches
  }

  private func lower(_ batch: inout UploadBatch, limit: UInt64) throws {
    guard let first = batch.entries.first(where: { $0.timestamp.rawValue > limit }) else { return }
    let unseen = try latestUnseen(by: batch.file, after: first.cursor.server)
    let limit = max(limit, unseen)
    for index in batch.entries.indices where batch.entries[index].timestamp.rawValue > limit {
      batch.entries[index].timestamp = OriginTimestamp(limit + 1)
    }
  }

  /// The latest time of what others made after a version.
  private func latestUnseen(by file: FileIdent, after version: ServerVersion) throws -> UInt64 {
    var cursor = DownloadCursor(server: version, client: .zero)
    var latest: UInt64 = 0
    do {
      while true {
        let scan = try history.scan(for: file, from: cursor, byteLimit: Self.step)
        for entry in scan.entries { latest = max(latest, entry.timestamp.rawValue) }
        guard !scan.reachedEnd, scan.progress.download.server > cursor.server else { return latest }
        cursor = scan.progress.download
      }
    } catch is TrimmedHistoryError {
      // Such an upload is refused when it is integrated.
      return latest
    }
  }
}
