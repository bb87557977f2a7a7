import ChangesetOT
import SyncProtocol

/// The sizes of changesets that were sent and not acknowledged, for the transfer counts.
struct SentChangesets: Hashable, Sendable {
  private struct Size: Hashable, Sendable {
    var version: ClientVersion
    var bytes: Int
  }

  private var sizes: [Size] = []

  /// Whether everything that was sent is acknowledged.
  var isEmpty: Bool { sizes.isEmpty }

  /// The sum of the sizes. O(changesets).
  var bytes: Int { sizes.reduce(0) { $0 + $1.bytes } }

  /// Notes changesets about to be sent; those that were noted before are skipped.
  mutating func sent(_ entries: [UploadEntry]) {
    let known = sizes.last?.version ?? .zero
    for entry in entries where entry.cursor.client > known {
      sizes.append(Size(version: entry.cursor.client, bytes: entry.changeset.count))
    }
  }

  /// Forgets the changesets up to a version.
  ///
  /// - Returns: their bytes.
  mutating func acknowledged(through version: ClientVersion) -> Int {
    let done = sizes.prefix { $0.version <= version }
    let bytes = done.reduce(0) { $0 + $1.bytes }
    sizes.removeFirst(done.count)
    return bytes
  }
}
