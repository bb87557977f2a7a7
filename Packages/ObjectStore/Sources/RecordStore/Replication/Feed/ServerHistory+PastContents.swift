public import ChangesetOT
import Foundation
import StorageEngine

extension ServerHistory {
  /// Everything that the realm held after a version, made anew in memory from the history up to it.
  ///
  ///     let past = try history.contents(after: 41)
  ///     try past.page(of: "Dog", from: 0, count: 20)
  ///
  /// The history has to be whole: nothing of it was trimmed. Global keys, links and values are those that clients saw.
  ///
  /// - Parameters:
  ///   - version: at most the newest version.
  ///   - byteLimit: the most bytes of changesets.
  /// - Throws: ``TrimmedHistoryError`` when the beginning is no longer kept; ``RecordStoreError`` with code `invalidInput` for a
  ///   history above the limit, and when the file cannot be read.
  /// - Complexity: O(*n*) in the changesets up to the version; the memory is that of the objects.
  public func contents(after version: ServerVersion, byteLimit: Int) throws -> RealmContents {
    let past = try RealmFile.open(.inMemory(name: "past of a realm: \(UUID().uuidString)"))
    var (position, bytes) = (ServerVersion.zero, 0)
    while position < version, let scan = try feedScan(after: position, byteLimit: 1 << 20) {
      let entries = scan.entries.prefix { $0.position.version <= version }
      bytes += entries.reduce(0) { $0 + $1.changeset.count }
      guard bytes <= byteLimit else {
        throw RecordStoreError(
          .invalidInput,
          "The history up to version \(version.rawValue) is larger than \(byteLimit >> 20) MB. Choose an earlier version."
        )
      }
      try past.write { session in
        session.writer.work.allow(bytes: bytes)
        let applier = ChangesetApplier(writer: session.writer)
        var decoder = ChangesetDecoder()
        for (number, entry) in entries.enumerated() {
          try applier.apply(entry.changeset[...], with: &decoder, at: number)
        }
      }
      position = scan.end.version
    }
    return try past.contents()
  }
}
