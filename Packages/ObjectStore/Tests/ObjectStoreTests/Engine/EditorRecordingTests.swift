import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("changes without model classes")
struct EditorRecordingTests {
  @Test("what an editor makes of one state by another one's values leads others the same way, whatever the types")
  func recorded() throws {
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .server)
    for seed in Seeds.some(20) {
      let wanted = try typedFile(seed).realm.file.dump()
      let file = try typedFile(seed &+ 1_001).realm.file
      let twin = try memoryFile()
      var synthesis = try StateSynthesis(file)
      while let piece = try synthesis.next() {
        try twin.commit(try Changeset(decoding: piece, origin: origin).instructions)
      }
      let base = try ClientHistory(file).newestVersion()
      try file.edit { editor in
        for (name, objects) in wanted.objects {
          for key in objects.keys { try editor.create(ObjectReference(className: name, key: key)) }
        }
        for (name, objects) in wanted.objects {
          for (key, fields) in objects { try editor.set(fields, of: ObjectReference(className: name, key: key)) }
        }
      }
      let found = try file.dump()
      for (name, objects) in wanted.objects {
        for (key, fields) in objects where found.objects[name]?[key] != fields {
          Issue.record("SEED=\(seed): \(name)[\(key)] is \(found.objects[name]?[key] ?? [:]), not \(fields)")
        }
      }
      for (_, entry) in try ClientLog.uploadable(
        file.store.log(ClientLog.entries).entries(in: ClientLog.positions(after: base)))
      {
        try twin.commit(try Changeset(decoding: entry.changeset, origin: origin).instructions)
      }
      let led = try twin.dump()
      if led != found { Issue.record("SEED=\(seed)\nled to\n\(led)\nthe file holds\n\(found)") }
      try file.store.verify()
      #expect(try LinkBooks(file).complaint == nil, "SEED=\(seed)")
    }
  }
}
