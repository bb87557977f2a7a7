import ChangesetOT
import DataModel
import Foundation
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

private final class Place: EmbeddedObject {
  @Persisted var city: String
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Sensor: Object {
  @Persisted(primaryKey: true) var id: Int
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Reading: AsymmetricObject {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var degrees: Double
  @Persisted var marks: List<String>
  @Persisted var place: Place?
  @Persisted var sensor: Sensor?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Click: AsymmetricObject {
  @Persisted var target: String
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Board: Object {
  @Persisted var last: Click?
  @Persisted var clicks: List<Click>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite("objects that are only sent")
struct AsymmetricTests {
  private static let types: [ObjectBase.Type] = [Reading.self, Place.self, Sensor.self, Click.self]

  private static func realm() throws -> Realm { try Realm(configuration: queryBased(UserId("ada"), types: types)) }

  /// The instructions that a realm recorded.
  private func recorded(_ realm: Realm) throws -> [Instruction] {
    try ClientHistory(realm.file).uploadableEntries(
      after: UploadCursor(client: ClientVersion(1), server: .zero), byteLimit: .max
    ).entries.flatMap { entry in
      try Changeset(decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: .none))
        .instructions
    }
  }

  @Test("what is created is recorded in full and not kept")
  func creating() throws {
    let realm = try Self.realm()
    let unmanaged = Reading(value: ["_id": 2, "degrees": 3.5] as [String: Any])
    try realm.write {
      realm.create(
        Reading.self,
        value: ["_id": 1, "degrees": 21.5, "marks": ["a", "b"], "place": ["city": "Oslo"], "sensor": ["id": 7]])
      realm.create(Reading.self, value: unmanaged)
    }
    #expect(unmanaged.degrees == 3.5)
    #expect(!unmanaged.isInvalidated)
    let dump = try realm.file.dump()
    #expect(dump.objects["Reading"]?.isEmpty != false)
    #expect(realm.dynamicObjects("Reading").isEmpty)
    #expect(try realm.file.latestReadView().rows(#require(realm.view.catalog["Place"])).isEmpty)
    #expect(realm.objects(Sensor.self).map(\.id) == [7])
    let instructions = try recorded(realm)
    #expect(!instructions.contains { if case .eraseObject = $0 { true } else { false } })
    // A server's file, to which the instructions are applied, has everything.
    let copy = try memoryFile()
    try copy.commit(instructions)
    let sent = try copy.dump().objects["Reading"] ?? [:]
    #expect(sent.count == 2)
    #expect(sent[.int(1)]?["degrees"] == .value(.double(21.5)))
    #expect(sent[.int(2)]?["degrees"] == .value(.double(3.5)))
    #expect("\(sent[.int(1)].map { "\($0)" } ?? "")".contains("Oslo"))
  }

  @Test("objects without a primary key have different keys")
  func keys() throws {
    let realm = try Self.realm()
    for round in 0..<3 {
      try realm.write { for number in 0..<4 { realm.create(Click.self, value: ["target": "\(round) \(number)"]) } }
    }
    let created = try recorded(realm).compactMap { instruction -> ObjectReference? in
      if case .createObject(let creation) = instruction { creation.object } else { nil }
    }
    #expect(created.count == 12)
    #expect(Set(created).count == 12)
  }

  @Test("a reset that recovers sends what was not uploaded, and keeps none of it; one that discards tells it")
  func resets() throws {
    for mode in [ClientReset.Mode.recover, .discard] {
      let realm = try Self.realm()
      let history = ClientHistory(realm.file)
      try history.storeFileIdent(SaltedFileIdent(ident: FileIdent(2), salt: 4))
      try realm.write {
        realm.create(
          Reading.self,
          value: ["_id": 1, "degrees": 21.5, "marks": ["a", "b"], "place": ["city": "Oslo"], "sensor": ["id": 7]])
      }
      try realm.write { for target in ["x", "y"] { realm.create(Click.self, value: ["target": target]) } }
      let fresh = ClientHistory(try memoryFile(recordsChangesets: true))
      try fresh.storeFileIdent(SaltedFileIdent(ident: FileIdent(9), salt: 5))
      let outcome = try history.reset(to: fresh, ClientReset(mode: mode))
      let view = try realm.file.latestReadView()
      for name in ["Reading", "Click", "Place"] {
        let layout = try #require(view.catalog[name])
        #expect(try view.rows(layout).isEmpty, "\(name) after \(mode)")
      }
      let copy = try memoryFile()
      try copy.commit(recorded(realm))
      let sent = try copy.dump().objects
      switch mode {
      case .recover:
        #expect(outcome.lost.isEmpty)
        #expect(sent["Reading"]?[.int(1)]?["degrees"] == .value(.double(21.5)))
        #expect(sent["Reading"]?[.int(1)]?["marks"] == .list([.value(.string("a")), .value(.string("b"))]))
        #expect("\(sent["Reading"].map { "\($0)" } ?? "")".contains("Oslo"))
        #expect(
          Set((sent["Click"] ?? [:]).values.map { $0["target"] }) == [.value(.string("x")), .value(.string("y"))])
        #expect(sent["Sensor"]?.count == 1)
      case .discard:
        #expect(Set(outcome.lost.map(\.className)).isSuperset(of: ["Reading", "Click", "Sensor"]))
        let count = sent.values.reduce(0) { $0 + $1.count }
        #expect(count == 0)
      }
    }
  }

  @Test("a cancelled transaction sends nothing")
  func cancelling() throws {
    let realm = try Self.realm()
    realm.beginWrite()
    realm.create(Click.self, value: ["target": "x"])
    realm.cancelWrite()
    #expect(try recorded(realm).allSatisfy { $0.object == nil })
  }

  @Test("the schema says that a class is asymmetric")
  func schema() throws {
    #expect(try Self.realm().schema["Reading"]?.isAsymmetric == true)
    #expect(try Self.realm().schema["Sensor"]?.isAsymmetric == false)
    #expect(Reading().objectSchema.isAsymmetric)
    #expect(try Self.realm().file.latestReadView().catalog["Reading"]?.kind == .asymmetric)
  }

  @Test("opening a local realm, or one that is synchronised whole, with such a class throws RealmSwift's error")
  func otherModes() throws {
    var local = memoryConfiguration()
    local.objectTypes = [Click.self]
    for (configuration, place) in [
      (local, "in a local Realm"), (queryBased(nil, types: [Click.self]), "in partition based sync"),
    ] {
      let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
      #expect(error?.code == .schemaMismatch)
      #expect(
        error?.localizedDescription
          == "Schema validation failed due to the following errors:\n- Asymmetric table 'Click' not allowed \(place)")
    }
  }

  @Test("a link to such a class is an error of opening")
  func links() throws {
    let configuration = queryBased(UserId("ada"), types: [Board.self, Click.self])
    let error = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    let text = error?.localizedDescription ?? ""
    #expect(
      text.contains("- Property 'Board.last' of type 'object' cannot be a link to an asymmetric object."))
    #expect(
      text.contains("- Property 'Board.clicks' of type 'array' cannot be a link to an asymmetric object."))
  }

  @Test("such an object is created in a realm that is synchronised by queries only")
  func creatingElsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.write { realm.create(Click.self) }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains("Objects of asymmetric class 'Click' are created in realms that are synchronised by queries."))
  }
}
