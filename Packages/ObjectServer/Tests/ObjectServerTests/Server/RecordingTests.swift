import ChangesetOT
import ChangesetOTTestSupport
import Foundation
import Testing

@Suite("recorded conversations of stock clients")
struct RecordingTests {
  @Test("there are recordings")
  func thereAreSome() { #expect(Recording.all.count >= 13) }

  @Test(
    "the clients' half is accepted, and the answers lead where the reference server's led",
    arguments: Recording.all, [true, false])
  func replay(recording: Recording, isJournal: Bool) throws {
    let folder = NSTemporaryDirectory() + "openrealm-replay-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let replay = try Replay(recording, folder: folder, isJournal: isJournal)
    try replay.run()
    // The reference server has no 225: what contradicts the schema is a bad changeset there.
    let hasSchemaCode = !isJournal && recording.scenario == "17b-incompatible-schema-online"
    for (conn, codes) in replay.errorCodes {
      let expected = codes.recorded.map { hasSchemaCode && $0 == 212 ? 225 : $0 }
      #expect(codes.ours == expected, "connection \(conn)")
    }
    for (conn, cursors) in try replay.cursors() { #expect(cursors.ours == cursors.recorded, "connection \(conn)") }
    let (recorded, ours) = try replay.changesets()
    #expect(Set(ours.keys).isSuperset(of: recorded.keys))
    for (place, bytes) in recorded {
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: FileIdent(1))
      let theirs = try Changeset(decoding: bytes, origin: origin)
      let mine = try Changeset(decoding: ours[place] ?? [], origin: origin)
      #expect(mine == theirs, "\(place)")
    }
  }
}
