import DataModel
import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("mixed values")
struct AnyRealmValueTests {
  let values: [AnyRealmValue] = [
    .none, .int(-5), .bool(true), .float(1.5), .double(2.5), .string("ž"), .data(Data([1, 2])),
    .date(Date(timeIntervalSince1970: 0.25)), .objectId(.generate()), .decimal128(Decimal128(7)), .uuid(UUID()),
  ]

  @Test("every case comes back as it went in, from a property, list, set and map")
  func scalars() throws {
    try MutableSetTests.both { holder, write in
      for value in values {
        try write { holder.any = value }
        #expect(holder.any == value)
      }
      try write {
        holder.anys.append(objectsIn: values)
        holder.anySet.insert(objectsIn: values)
        for (number, value) in values.enumerated() { holder.anyMap["k\(number)"] = value }
      }
      #expect(Array(holder.anys) == values)
      #expect(Set(holder.anySet) == Set(values))
      for (number, value) in values.enumerated() { #expect(holder.anyMap["k\(number)"] == value) }
    }
  }

  @Test("links lead to objects of any class, which are added, and become none with them")
  func links() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = Holder(value: ["id": 1])
    let item = Item(value: ["id": 4, "name": "x"])
    holder.any = .object(item)
    holder.anys.append(.object(holder))
    try realm.write { realm.add(holder) }
    #expect(holder.any.object(Item.self) == item)
    #expect(holder.any.object(Holder.self) == nil)
    #expect(item.realm != nil && holder.anys[0].object(Holder.self) == holder)
    try realm.write { realm.delete(item) }
    #expect(holder.any == .none)
  }

  @Test("lists and dictionaries nest, and are live once the object is")
  func nesting() throws {
    let configuration = typesConfiguration(recordsChangesets: true)
    let realm = try Realm(configuration: configuration)
    let holder = Holder(value: ["id": 1])
    holder.any = .fromDictionary([
      "numbers": .fromArray([.int(1), .fromArray([.string("deep")])]), "plain": .bool(true),
    ])
    #expect(holder.any.dictionaryValue?["numbers"]?.listValue?.count == 2)
    try realm.write { realm.add(holder) }
    let map = try #require(holder.any.dictionaryValue)
    let numbers = try #require(map["numbers"]?.listValue)
    let deep = try #require(numbers[1].listValue)
    #expect(deep.realm != nil && deep[0] == .string("deep"))
    try realm.write {
      deep.append(.int(2))
      numbers.insert(.none, at: 0)
      deep.insert(.fromArray([]), at: 0)
    }
    #expect(numbers[2].listValue == deep && deep.count == 3 && deep[0].listValue?.isEmpty == true)
    try realm.write {
      numbers.move(from: 2, to: 0)
      deep[0] = .fromDictionary(["k": .int(1)])
      deep[0].dictionaryValue?["k"] = .int(2)
    }
    #expect(numbers[0].listValue == deep && deep[0].dictionaryValue?["k"]?.intValue == 2)
    realm.beginWrite()
    numbers.remove(at: 0)
    #expect(deep.isInvalidated)
    #expect(numbers.count == 2)
    realm.cancelWrite()
    #expect(!deep.isInvalidated)
    #expect(deep.count == 3)
    try realm.write { map["numbers"] = .int(0) }
    #expect(numbers.isInvalidated)
    #expect(deep.isInvalidated)
    #expect(map.count == 2)
    try realm.write { holder.any = .fromArray([.int(1)]) }
    #expect(map.isInvalidated)
    #expect(holder.any.listValue?.count == 1)
    try realm.write { holder.any = .fromArray([.int(2)]) }
    #expect(holder.any == .fromArray([.int(2)]))
  }

  @Test("what is recorded of nested collections makes the same in another file")
  func recording() throws {
    let realm = try Realm(configuration: typesConfiguration(recordsChangesets: true))
    let holder = try realm.write {
      realm.create(Holder.self, value: ["id": 1, "any": ["a": [1, "two", ["x": NSNull()]], "b": 3] as [String: Any]])
    }
    try realm.write {
      holder.any.dictionaryValue?["a"]?.listValue?.append(.fromArray([.bool(false)]))
      holder.anys.append(.fromDictionary(["k": .fromArray([.int(1)])]))
      holder.anyMap["m"] = .fromArray([.int(5), .int(6)])
    }
    try realm.write {
      holder.any.dictionaryValue?["a"]?.listValue?.move(from: 3, to: 0)
      holder.any.dictionaryValue?["a"]?.listValue?.remove(at: 1)
      holder.anys[0] = .fromDictionary(["l": .none])
      holder.anyMap["m"] = .fromArray([.int(7)])
      holder.anyMap["m"]?.listValue?.swapAt(0, 0)
      holder.any.dictionaryValue?["b"] = .fromArray([])
      holder.any.dictionaryValue?["c"] = .string("c")
      holder.any.dictionaryValue?.removeObject(for: "c")
    }
    try replayed(realm)
    try realm.write {
      holder.anys[0].dictionaryValue?.removeAll()
      holder.any = .fromDictionary(["z": .fromDictionary([:])])
      holder.anyMap.removeAll()
    }
    try replayed(realm)
  }
}
