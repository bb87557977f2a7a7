import ChangesetOT
import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("embedded objects")
struct EmbeddedTests {
  private func spots(_ realm: Realm) throws -> Int {
    try realm.view.reader.rowCount(of: #require(realm.view.catalog["Spot"]).table)
  }

  @Test("they live and die with their parent, wherever they lie in it")
  func ownership() throws {
    let realm = try Realm(configuration: typesConfiguration(recordsChangesets: true))
    let holder = try realm.write {
      realm.create(
        Holder.self,
        value: [
          "id": 1, "spot": ["x": 1.0], "spots": [["x": 2.0], ["x": 3.0, "note": "n"]],
          "spotMap": ["k": ["x": 4.0], "nil": NSNull()],
        ])
    }
    #expect(try spots(realm) == 5)
    #expect(holder.spots.map(\.x) == [2, 3])
    #expect((holder.spotMap["k"] ?? nil)?.x == 4)
    let (first, listed) = (try #require(holder.spot), holder.spots[0])
    try realm.write { holder.spot = Spot(value: ["x": 9.0]) }
    #expect(first.isInvalidated)
    #expect(holder.spot?.x == 9)
    try realm.write { holder.spots.remove(at: 0) }
    #expect(listed.isInvalidated)
    #expect(holder.spots.count == 1)
    try realm.write { realm.delete(holder.spots[0]) }
    #expect(holder.spots.isEmpty)
    try replayed(realm)
    try realm.write { realm.delete(holder) }
    #expect(try spots(realm) == 0)
    try replayed(realm)
  }

  @Test("an update with .modified changes embedded objects where they are, .all makes new ones")
  func updating() throws {
    let realm = try Realm(configuration: typesConfiguration(recordsChangesets: true))
    let holder = try realm.write {
      realm.create(
        Holder.self,
        value: [
          "id": 1, "spot": ["x": 1.0, "y": 1.0], "spots": [["x": 2.0], ["x": 3.0]], "spotMap": ["k": ["x": 4.0]],
        ])
    }
    let (spot, listed, mapped) = (try #require(holder.spot), holder.spots[0], try #require(holder.spotMap["k"] ?? nil))
    try realm.write {
      realm.create(
        Holder.self,
        value: [
          "id": 1, "spot": ["x": 7.0], "spots": [["y": 8.0], ["x": 3.0], ["x": 5.0]],
          "spotMap": ["k": ["y": 6.0], "new": ["x": 1.0]],
        ], update: .modified)
    }
    #expect(!spot.isInvalidated)
    #expect(spot.x == 7)
    #expect(spot.y == 1)
    #expect(!listed.isInvalidated)
    #expect(listed.x == 2)
    #expect(listed.y == 8)
    #expect(holder.spots.map(\.x) == [2, 3, 5])
    #expect(!mapped.isInvalidated)
    #expect(mapped.x == 4)
    #expect(mapped.y == 6)
    #expect(holder.spotMap.count == 2)
    try realm.write {
      realm.create(Holder.self, value: ["id": 1, "spot": ["x": 8.0], "spots": [["x": 1.0]]], update: .all)
    }
    #expect(spot.isInvalidated && holder.spot?.x == 8 && holder.spot?.y == 0 && holder.spots.map(\.x) == [1])
    #expect(holder.spotMap.count == 2)
    try replayed(realm)
  }

  /// The changeset that a realm recorded after a version.
  private func recorded(_ realm: Realm, after version: UInt64) throws -> [String] {
    try ClientHistory(realm.file).uploadableEntries(
      after: UploadCursor(client: ClientVersion(version), server: .zero), byteLimit: .max
    ).entries.flatMap { entry in
      try Changeset(decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: .none))
        .instructions.map { "\($0)" }
    }
  }

  @Test("an object in the place of another under a key is recorded as its removal and a creation")
  func replacedEntry() throws {
    let realm = try Realm(configuration: typesConfiguration(recordsChangesets: true))
    let holder = try realm.write { realm.create(Holder.self, value: ["id": 1, "spotMap": ["k": ["x": 1.0]]]) }
    let before = try realm.file.store.latestSnapshot().version.rawValue
    try realm.write { holder.spotMap["k"] = Spot(value: ["x": 2.0]) }
    let lines = try recorded(realm, after: before)
    #expect(lines.first?.hasSuffix("= erased") == true)
    #expect(lines.dropFirst().first?.hasSuffix("= new object") == true)
    #expect(holder.spotMap["k"]??.x == 2)
    try replayed(realm)
  }

  @Test("an update with .modified writes and records only what differs")
  func modified() throws {
    let realm = try Realm(configuration: typesConfiguration(recordsChangesets: true))
    let values: [String: Any] = [
      "id": 1, "ints": [1, 2, 3], "intSet": [1, 2], "intMap": ["a": 1], "anys": [1, "x", [1]], "species": "cat",
      "any": ["k": [1]], "spots": [["x": 1.0]], "links": [["id": 1, "name": "one"]], "wordMap": ["n": NSNull()],
    ]
    let holder = try realm.write { realm.create(Holder.self, value: values) }
    let before = try realm.file.store.latestSnapshot().version.rawValue
    var again = values
    try realm.write { realm.create(Holder.self, value: again, update: .modified) }
    #expect(try recorded(realm, after: before) == [])
    again["ints"] = [1, 5, 3, 4]
    again["intSet"] = [2, 3]
    again["intMap"] = ["b": 1]
    try realm.write { realm.create(Holder.self, value: again, update: .modified) }
    #expect(try recorded(realm, after: before).count == 6)
    #expect(Array(holder.ints) == [1, 5, 3, 4])
    #expect(Set(holder.intSet) == [2, 3])
    #expect(holder.intMap.keys == ["b"])
    try replayed(realm)
  }
}
