import Foundation
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// A small realm with a property of every type, for tests that damage it, starve it or keep it for years.
enum SampleRealm {
  static let key = Data((0..<64).map { UInt8($0) })

  static let types: [ObjectBase.Type] = [
    Person.self, Dog.self, Address.self, Everything.self, Holder.self, Item.self, Spot.self, OldStyle.self,
    OldParent.self,
  ]

  static func configuration(_ folder: TemporaryFolder, _ name: String, isEncrypted: Bool) -> Realm.Configuration {
    var configuration = folder.configuration(name, version: 3, types: types)
    configuration.recordsChangesets = true
    configuration.encryptionKey = isEncrypted ? key : nil
    return configuration
  }

  static func fill(_ realm: Realm, people: Int) throws {
    try realm.write {
      for number in 0..<people {
        let person = realm.create(Person.self, value: ["id": number, "name": "Person \(number)", "age": number % 90])
        if number % 3 == 0 { person.score = 0.5 }
        if number % 2 == 1 { person.nickname = "né \(number)" }
        person.friend = number == 0 ? nil : realm.object(ofType: Person.self, forPrimaryKey: number / 2)
        person.born = Date(timeIntervalSince1970: Double(number) * 1_000_000)
      }
    }
    try realm.write {
      guard let ada = realm.object(ofType: Person.self, forPrimaryKey: 1) else { return }
      for number in 0..<3 { ada.dogs.append(realm.create(Dog.self, value: ["name": "Dog \(number)"])) }
      ada.tags.append(objectsIn: ["one", "two"])
      ada.home = Address(value: ["street": "Main", "number": 1])
      ada.homes.append(Address(value: ["street": "Side", "number": 7]))
      let everything = Everything()
      everything.id = ObjectId(bytes: (1...12).map { UInt8($0) }) ?? .zero
      (everything.small, everything.short, everything.long) = (-128, nil, .max)
      (everything.flag, everything.float, everything.double) = (true, 0.25, -1e300)
      (everything.text, everything.data) = (String(repeating: "long text ", count: 200), Data([0, 255, 7]))
      everything.date = Date(timeIntervalSince1970: -1.5)
      everything.uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
      everything.decimal = Decimal128(12)
      everything.ints.append(objectsIn: [3, 1, 2])
      everything.optionals.append(objectsIn: ["a", nil])
      everything.dates.append(Date(timeIntervalSince1970: 0))
      realm.add(everything)
      realm.create(OldStyle.self, value: ["name": "old", "numbers": [1, 2], "words": ["x"], "count": 5])
      let parent = realm.create(OldParent.self, value: ["name": "parent"])
      realm.object(ofType: OldStyle.self, forPrimaryKey: "old").map { parent.children.append($0) }
    }
    var edits = TypeEdits(seed: 5)
    for _ in 0..<4 { try realm.write { for _ in 0..<25 { edits.edit(realm) } } }
  }

  /// Reads every property of every object through the live objects, and queries, and says what it found.
  static func read(_ realm: Realm) -> [String] {
    var lines: [String] = []
    for person in realm.objects(Person.self).sorted(byKeyPath: "id") {
      let dogs = person.dogs.map { "\($0.name) \($0.weight) \(Array($0.owners.map(\.id)))" }.joined(separator: ",")
      let homes = person.homes.map { "\($0.street) \($0.number)" }.joined(separator: ",")
      lines.append(
        "\(person.id) \(person.name) \(person.age) \(person.score) \(person.nickname ?? "-") \(person.born as Any) "
          + "[\(dogs)] \(Array(person.tags)) \(person.friend?.id as Any) \(person.home?.street as Any) [\(homes)]")
    }
    for one in realm.objects(Everything.self) {
      lines.append(
        "\(one.id) \(one.small) \(one.short as Any) \(one.long) \(one.flag) \(one.float) \(one.double as Any) \(one.text)"
          + " \(Array(one.data)) \(one.date) \(one.uuid) \(one.decimal) \(one.maybe as Any) \(Array(one.ints))"
          + " \(Array(one.optionals)) \(Array(one.dates))")
    }
    for old in realm.objects(OldStyle.self) {
      lines.append(
        "\(old.name) \(Array(old.numbers)) \(Array(old.words)) \(old.count.value as Any) \(old.parents.count)")
    }
    for number in [0, 7, 12, 40] {
      lines.append("\(Array(realm.objects(Person.self).filter("age == %@ AND friend.id >= 0", number).map(\.id)))")
    }
    return lines
  }

  /// The holders, in plain Swift collections.
  static func holders(_ realm: Realm) -> [Int: HolderModel] {
    Dictionary(realm.objects(Holder.self).map { ($0.id, HolderModel($0)) }, uniquingKeysWith: { first, _ in first })
  }
}
