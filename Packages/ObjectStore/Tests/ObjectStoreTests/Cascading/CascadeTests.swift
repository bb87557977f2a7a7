import ChangesetOT
import Foundation
import ObjectStore
import RecordStore
import Testing

final class OwningShelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var books: List<OwningBook>
  @Persisted var label: OwningLabel?
  override class func cascadingProperties() -> [String] { ["books"] }
}

final class OwningLabel: EmbeddedObject {
  @Persisted var stamp: OwningStamp?
  override class func cascadingProperties() -> [String] { ["stamp"] }
}

final class OwningStamp: Object {
  @Persisted(primaryKey: true) var id: Int
}

final class OwningBook: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var sequel: OwningBook?
  @Persisted var reader: OwningReader?
  override class func cascadingProperties() -> [String] { ["sequel"] }
}

final class OwningReader: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var favourite: OwningBook?
}

/// Two classes over one table that name different links.
private enum Shared {
  final class Part: Object { @Persisted(primaryKey: true) var id: Int }
  final class Car: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var engine: Part?
    @Persisted var wheels: List<Part>
    override class func _realmObjectName() -> String? { "Owning Vehicle" }
    override class func cascadingProperties() -> [String] { ["engine"] }
  }
  final class Cart: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var engine: Part?
    @Persisted var wheels: List<Part>
    override class func _realmObjectName() -> String? { "Owning Vehicle" }
    override class func cascadingProperties() -> [String] { ["wheels"] }
  }
}

@Suite struct CascadeTests {
  let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString,
        objectTypes: [OwningShelf.self, OwningLabel.self, OwningStamp.self, OwningBook.self, OwningReader.self],
        recordsChangesets: true))
  }

  private func ids<T: Object>(_ type: T.Type) -> [Int] {
    realm.objects(type).map { $0.value(forKey: "id") as? Int ?? -1 }.sorted()
  }

  /// A shelf with books, which are made unless they exist.
  private func shelf(_ id: Int, _ books: [Int]) throws {
    try realm.write {
      let shelf = realm.create(OwningShelf.self, value: ["id": id])
      for number in books {
        shelf.books.append(
          realm.object(ofType: OwningBook.self, forPrimaryKey: number)
            ?? realm.create(OwningBook.self, value: ["id": number]))
      }
    }
  }

  private func book(_ id: Int) -> OwningBook? { realm.object(ofType: OwningBook.self, forPrimaryKey: id) }
  private func shelf(_ id: Int) -> OwningShelf? { realm.object(ofType: OwningShelf.self, forPrimaryKey: id) }

  @Test func whatIsOwnedDiesWithItsOwner() throws {
    try shelf(1, [1, 2])
    try realm.write {
      book(2)?.sequel = realm.create(OwningBook.self, value: ["id": 3])
      book(1)?.reader = realm.create(OwningReader.self, value: ["id": 1])
      realm.object(ofType: OwningReader.self, forPrimaryKey: 1)?.favourite = book(3)
    }
    try realm.write { if let shelf = shelf(1) { realm.delete(shelf) } }
    #expect(ids(OwningBook.self) == [])
    // An ordinary link owns nothing, and becomes null.
    #expect(ids(OwningReader.self) == [1])
    #expect(realm.objects(OwningReader.self).first?.favourite == nil)
  }

  @Test func whatIsSharedStaysUntilItsLastOwnerGoes() throws {
    try shelf(1, [1, 2])
    try shelf(2, [2, 3])
    try realm.write { if let shelf = shelf(1) { realm.delete(shelf) } }
    #expect(ids(OwningBook.self) == [2, 3])
    try realm.write { if let shelf = shelf(2) { realm.delete(shelf) } }
    #expect(ids(OwningBook.self) == [])
  }

  @Test func ownersThatGoTogetherShareNothingWithOthers() throws {
    try shelf(1, [1, 2])
    try shelf(2, [2])
    try realm.write { realm.delete(realm.objects(OwningShelf.self)) }
    #expect(ids(OwningBook.self) == [])
  }

  @Test func circlesDieTogetherAndLiveTogether() throws {
    try shelf(1, [1])
    try realm.write {
      book(1)?.sequel = realm.create(OwningBook.self, value: ["id": 2])
      book(2)?.sequel = book(1)
    }
    try shelf(2, [2])
    try realm.write { if let shelf = shelf(1) { realm.delete(shelf) } }
    #expect(ids(OwningBook.self) == [1, 2])
    try realm.write { if let shelf = shelf(2) { realm.delete(shelf) } }
    #expect(ids(OwningBook.self) == [])
  }

  @Test func embeddedObjectsOwnForTheirParents() throws {
    try realm.write {
      let shelf = realm.create(OwningShelf.self, value: ["id": 1])
      shelf.label = OwningLabel()
      shelf.label?.stamp = realm.create(OwningStamp.self, value: ["id": 7])
      realm.create(OwningStamp.self, value: ["id": 8])
    }
    try realm.write { if let shelf = shelf(1) { realm.delete(shelf) } }
    #expect(ids(OwningStamp.self) == [8])
  }

  @Test func takingOutOfAListDeletesNothing() throws {
    try shelf(1, [1, 2])
    try realm.write { shelf(1)?.books.removeAll() }
    #expect(ids(OwningBook.self) == [1, 2])
  }

  @Test func aDeletionOfOwnerAndOwnedAtOnceIsFine() throws {
    try shelf(1, [1, 2])
    try realm.write {
      let objects: [Object] = [shelf(1), book(1)].compactMap { $0 }
      realm.delete(objects)
    }
    #expect(ids(OwningBook.self) == [])
  }

  @Test func othersReceiveOrdinaryDeletions() throws {
    try shelf(1, [1, 2])
    try realm.write { if let shelf = shelf(1) { realm.delete(shelf) } }
    let entries = try ClientHistory(realm.file).uploadableEntries(after: .zero).entries
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .none)
    let text = try entries.map { try Changeset(decoding: $0.changeset, origin: origin).description }
      .joined(separator: "\n")
    #expect(text.hasSuffix("erase OwningShelf[1]\nerase OwningBook[1]\nerase OwningBook[2]"))
  }

  @Test func theRulesOfAllClassesOfOneTableHold() throws {
    let types: [ObjectBase.Type] = [Shared.Car.self, Shared.Cart.self, Shared.Part.self]
    for types in [types, types.reversed()] {
      let realm = try Realm(
        configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
      try realm.write {
        let car = realm.create(Shared.Car.self, value: ["id": 1])
        car.engine = realm.create(Shared.Part.self, value: ["id": 1])
        car.wheels.append(objectsIn: [2, 3].map { realm.create(Shared.Part.self, value: ["id": $0]) })
        realm.create(Shared.Part.self, value: ["id": 4])
      }
      try realm.write { realm.delete(realm.objects(Shared.Car.self)) }
      #expect(realm.objects(Shared.Part.self).map(\.id) == [4])
    }
  }
}
