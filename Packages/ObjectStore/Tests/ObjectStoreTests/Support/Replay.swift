import ChangesetOT
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Expects that what a realm recorded since it was made gives an equal file.
func replayed(_ realm: Realm, _ note: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws {
  let copy = try memoryFile()
  let entries = try ClientHistory(realm.file).uploadableEntries(
    after: UploadCursor(client: ClientVersion(1), server: .zero), byteLimit: .max
  ).entries
  for entry in entries {
    let changeset = try Changeset(
      decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: .none))
    do { try copy.commit(changeset.instructions) } catch {
      Issue.record(
        "\(note) \(error)\n\(changeset.instructions.map { "\($0)" }.joined(separator: "\n"))",
        sourceLocation: sourceLocation)
      return
    }
  }
  let (own, other) = try (realm.file.dump(), copy.dump())
  #expect(own == other, "\(note)\n\(own)\n--- replayed\n\(other)", sourceLocation: sourceLocation)
}
