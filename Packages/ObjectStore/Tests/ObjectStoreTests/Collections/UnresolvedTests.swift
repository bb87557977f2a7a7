import ChangesetOT
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("links to objects that do not exist")
struct UnresolvedTests {
  private func reference(_ id: Int64) -> ObjectReference { ObjectReference(className: "Person", key: .int(id)) }

  @Test("they read as nothing, keep their place in lists for others, and come alive")
  func hidden() throws {
    let realm = try Realm(configuration: memoryConfiguration(recordsChangesets: true))
    let ada = try realm.write { () -> Person in
      let bob = realm.create(Person.self, value: ["id": 2])
      return realm.create(
        Person.self, value: ["id": 1, "friend": bob, "dogs": [["name": "A"], ["name": "B"], ["name": "C"]]])
    }
    let dogs = try realm.file.dump().objects["Dog"]?.keys.sorted { "\($0)" < "\($1)" } ?? []
    // Elsewhere, Bob and the dog in the middle are erased.
    let middle = ObjectReference(className: "Dog", key: dogs[1])
    try realm.file.write(isRecorded: false) { session in
      let erasures = [reference(2), middle].map { Instruction.eraseObject(EraseObject(object: $0)) }
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .server)
      try ChangesetApplier(writer: session.writer).apply(Changeset(instructions: erasures, origin: origin))
    }
    realm.refresh()
    #expect(ada.friend == nil)
    #expect(ada.dogs.map(\.name) == ["A", "C"])
    #expect(ada.dogs.count == 2)
    let version = try realm.file.store.latestSnapshot().version.rawValue
    try realm.write {
      ada.dogs.remove(at: 1)
      ada.dogs.insert(Dog(value: ["name": "X"]), at: 1)
    }
    let entries = try ClientHistory(realm.file).uploadableEntries(
      after: UploadCursor(client: ClientVersion(version), server: .zero)
    ).entries
    let recorded = try entries.flatMap {
      try Changeset(decoding: $0.changeset, origin: ChangesetOrigin(timestamp: $0.timestamp, file: .none)).instructions
    }.map { "\($0)" }.filter { $0.contains("dogs") }
    #expect(recorded.first?.hasPrefix("remove Person[1].dogs[2] of 3") == true, "\(recorded)")
    #expect(recorded.last?.hasPrefix("insert Person[1].dogs[2]") == true, "\(recorded)")
    // The dog comes back.
    try realm.file.write(isRecorded: false) { session in
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(2), file: .server)
      let create = Instruction.createObject(CreateObject(object: middle))
      try ChangesetApplier(writer: session.writer).apply(Changeset(instructions: [create], origin: origin))
    }
    realm.refresh()
    #expect(ada.dogs.map(\.name) == ["A", "", "X"])
    try realm.file.store.verify()
  }
}
