import DataModel
import Foundation
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// Random edits of live objects, of every kind that the API has.
struct LiveEdits {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// One edit within a write transaction.
  mutating func edit(_ realm: Realm) {
    let people = realm.objects(Person.self)
    let dogs = realm.objects(Dog.self)
    guard let person = some(people), let dog = some(dogs), !random.oneIn(8) else { return create(realm) }
    switch Int.random(in: 0..<22, using: &random) {
    case 0: person.name = word()
    case 1: person.age = Int.random(in: 0..<6, using: &random)
    case 2: person.nickname = random.oneIn(2) ? nil : word()
    case 3:
      person.born =
        random.oneIn(3) ? nil : Date(timeIntervalSince1970: Double(Int.random(in: -9...9, using: &random)) / 4)
    case 4: person.friend = random.oneIn(3) ? nil : some(people)
    case 5: person.home = random.oneIn(3) ? nil : address()
    case 6: person.home?.street = word()
    case 7: person.dogs.append(dog)
    case 8: edit(person.dogs, dog)
    case 9, 10, 11: edit(person.tags, word())
    case 12: person.homes.append(address())
    case 13: if let home = some(person.homes) { home.number += 1 }
    case 14: if !person.homes.isEmpty { person.homes.remove(at: position(person.homes.count)) }
    case 15: if !person.homes.isEmpty { person.homes[position(person.homes.count)] = address() }
    case 16: dog.weight = Double(Int.random(in: 0..<9, using: &random))
    case 17: if random.oneIn(2) { realm.delete(dog) }
    case 18: if random.oneIn(3) { realm.delete(person) }
    case 19: realm.create(Person.self, value: ["id": person.id, "age": 3, "tags": ["x", word()]], update: .modified)
    case 20: if let home = person.home { realm.delete(home) }
    default: person.score += 0.5
    }
  }

  private mutating func create(_ realm: Realm) {
    if random.oneIn(2) {
      let dog = Dog()
      dog.name = word()
      return realm.add(dog)
    }
    var values: [String: Any] = ["id": Int.random(in: 0..<9, using: &random), "name": word()]
    if random.oneIn(2) { values["dogs"] = [["name": word()]] }
    if random.oneIn(2) { values["home"] = ["street": word()] }
    realm.create(Person.self, value: values, update: .all)
  }

  private mutating func edit<T>(_ list: List<T>, _ element: T) {
    let count = list.count
    guard count > 0 else { return list.append(element) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0, 1, 2: list.insert(element, at: Int.random(in: 0...count, using: &random))
    case 3: list[position(count)] = element
    case 4: list.move(from: position(count), to: position(count))
    case 5, 6: list.remove(at: position(count))
    default: if random.oneIn(3) { list.removeAll() } else { list.swapAt(position(count), position(count)) }
    }
  }

  private mutating func address() -> Address { Address(value: ["street": word(), "number": position(9)]) }
  private mutating func position(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  mutating func word() -> String { String(UnicodeScalar(UInt8(97 + Int.random(in: 0..<6, using: &random)))) }
  mutating func some<C: Collection>(_ elements: C) -> C.Element? {
    elements.isEmpty ? nil : elements[elements.index(elements.startIndex, offsetBy: position(elements.count))]
  }
}
