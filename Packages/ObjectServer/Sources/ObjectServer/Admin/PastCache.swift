import ChangesetOT
import Permissions
import RecordStore
import Synchronization

/// Keeps the two states of the past that were asked for last: each was made anew from a realm's history, and lives in memory.
final class PastCache: Sendable {
  /// The most bytes of changesets that a state of the past is made from.
  static let historyLimit = 64 << 20

  private struct Past {
    var path: RealmPath
    var version: Int64
    var contents: RealmContents
  }

  // The contents are used by one thread at a time: in the queue of their realm.
  private struct Content: @unchecked Sendable { var pasts: [Past] = [] }

  private let content = Mutex(Content())

  /// Forgets the states of a realm whose files are others now: versions are counted from the beginning in each file.
  func forget(_ path: RealmPath) { content.withLock { $0.pasts.removeAll { $0.path == path } } }

  /// The realm as it was after a version. In the queue of the realm.
  ///
  /// - Throws: ``APIError`` with 400 for a version that was not made yet; `TrimmedHistoryError`, `RecordStoreError`.
  func contents(at version: Int64, of path: RealmPath, _ history: ServerHistory) throws -> RealmContents {
    let known = content.withLock { content in
      content.pasts.first { $0.path == path && $0.version == version }?.contents
    }
    if let known { return known }
    let wanted = ServerVersion(UInt64(clamping: version))
    guard wanted <= (try history.state().current.version) else {
      throw APIError(400, .invalidParameter, "the realm has no version \(version) yet")
    }
    let made = try history.contents(after: wanted, byteLimit: Self.historyLimit)
    content.withLock { $0.pasts = Array(([Past(path: path, version: version, contents: made)] + $0.pasts).prefix(2)) }
    return made
  }
}
