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

  @Test("links to objects that are not there reach others, in every kind of field, and lead to them once they come")
  func absentTargets() throws {
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .server)
    let file = try memoryFile(recordsChangesets: true)
    let twin = try memoryFile()
    var base = try ClientHistory(file).newestVersion()
    let types: [(name: String, type: PropertyType)] = [("typed", .object), ("mixed", .any)]
    let kinds: [(name: String, collection: CollectionKind)] = [
      ("one", .single), ("list", .list), ("set", .set), ("map", .dictionary),
    ]
    let properties = types.flatMap { type in
      kinds.map { kind in
        Property(
          name: type.name + kind.name, type: type.type, collection: kind.collection,
          objectClassName: type.type == .object ? "Absent" : nil,
          isOptional: type.type == .object && [.single, .dictionary].contains(kind.collection))
      }
    }
    let schema = Schema([
      ObjectSchema(
        className: "Absent", primaryKey: "id", properties: [Property(name: "id", type: .int)]),
      ObjectSchema(
        className: "Holder", primaryKey: "id", properties: [Property(name: "id", type: .int)] + properties),
    ])
    let holder = ObjectReference(className: "Holder", key: .int(1))
    let absent = ObjectReference(className: "Absent", key: .int(7))
    let link = Value.link(absent)
    try file.edit { editor in
      try editor.addClasses(schema)
      try editor.create(holder)
      for type in types.map(\.name) {
        try editor.set(
          [
            type + "one": .value(link), type + "list": .list([.value(link), .value(link)]), type + "set": .set([link]),
            type + "map": .dictionary(["a": .value(link), "b": .value(link)]),
          ], of: holder)
      }
      try editor.set(["mixedone": .value(.list([link, .dictionary(["deep": link])]))], of: holder)
      try editor.set(["mixedone": .value(link)], of: holder)
    }
    func lead() throws {
      let entries = file.store.log(ClientLog.entries)
      for (_, entry) in try ClientLog.uploadable(entries.entries(in: ClientLog.positions(after: base))) {
        try twin.commit(try Changeset(decoding: entry.changeset, origin: origin).instructions)
      }
      base = try ClientHistory(file).newestVersion()
    }
    try lead()
    #expect(try twin.dump() == file.dump())
    try file.edit { try $0.create(absent) }
    try lead()
    #expect(try twin.dump() == file.dump())
    let fields = try twin.contents().object(holder)?.fields
    #expect(fields?["mixedone"] == .value(link))
    #expect(fields?["mixedmap"] == .dictionary(["a": .value(link), "b": .value(link)]))
    #expect(fields?["typedone"] == .value(link))
  }
}
