import Foundation
import StorageEngine
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("enums and custom types")
struct BackedTypesTests {
  @Test("enums are cases of theirs, first case by default, managed or not")
  func enums() throws {
    try MutableSetTests.both { holder, write in
      #expect(holder.species == .dog)
      #expect(holder.guess == nil)
      #expect(holder.grade == .low)
      try write {
        holder.species = .bird
        holder.guess = .cat
        holder.grade = .high
        holder.kinds.append(objectsIn: [.cat, .dog, .cat])
        holder.kinds[1] = .bird
      }
      #expect(holder.species == .bird)
      #expect(holder.guess == .cat)
      #expect(holder.grade == .high)
      #expect(Array(holder.kinds) == [.cat, .bird, .cat])
      #expect(holder.kinds.index(of: .bird) == 1)
      #expect(Species.bird < .cat)
      #expect(Grade.low < .high)
      try write { holder.guess = nil }
      #expect(holder.guess == nil)
    }
  }

  @Test("queries take cases and raw values; keys of literals are raw values")
  func queries() throws {
    let realm = try Realm(configuration: typesConfiguration())
    try realm.write {
      realm.create(Holder.self, value: ["id": 1, "species": "cat", "grade": 5, "guess": "bird"])
      realm.create(Holder.self, value: ["id": 2, "species": Species.dog, "grade": Grade.high])
    }
    let all = realm.objects(Holder.self)
    #expect(all.filter("species == %@", Species.cat).first?.id == 1)
    #expect(all.filter("species == 'dog'").first?.id == 2)
    #expect(all.filter("grade > 1").count == 2)
    #expect(all.where { $0.grade == .high }.first?.id == 2)
    #expect(all.max(ofProperty: "grade") == Grade.high)
    #expect(all.filter("guess == nil").count == 1)
  }

  @Test("a stored raw value that is no case reads as nil where it may")
  func unknown() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = try realm.write { realm.create(Holder.self, value: ["id": 1, "guess": "cat", "even": 4]) }
    #expect(holder.guess == .cat)
    #expect(holder.even?.value == 4)
    try realm.write {
      let access = realm.view.access(Holder.self)
      realm.view.modify { writer in
        for (name, value) in [("guess", StoredValue.string("fish")), ("even", .int(3))] {
          let field = try #require(access.field(named: name)).layout
          try writer.set(value, Cell(access.layout, holder.state.pointee.row, field))
        }
      }
    }
    #expect(holder.guess == nil)
    #expect(holder.even == nil)
    #expect(holder["guess"] == nil)
  }

  @Test("custom types are stored as what they say: values and embedded objects")
  func custom() throws {
    try MutableSetTests.both { holder, write in
      #expect(holder.temperature.degrees == 0)
      #expect(holder.even == nil)
      #expect(holder.point == Point(x: 0, y: 0))
      #expect(holder.target == nil)
      try write {
        holder.temperature = Celsius(degrees: 21.5)
        holder.even = Even(persistedValue: 6)
        holder.point = Point(x: 1, y: 2)
        holder.target = Point(x: 3, y: 4)
        holder.points.append(objectsIn: [Point(x: 5, y: 6), Point(x: 7, y: 8)])
        holder.points[0] = Point(x: 9, y: 9)
      }
      #expect(holder.temperature.degrees == 21.5)
      #expect(holder.even?.value == 6)
      #expect(holder.point == Point(x: 1, y: 2))
      #expect(holder.target == Point(x: 3, y: 4))
      #expect(Array(holder.points) == [Point(x: 9, y: 9), Point(x: 7, y: 8)])
      try write {
        holder.target = nil
        holder.points.removeFirst()
        holder.point.x = 10
      }
      #expect(holder.target == nil)
      #expect(holder.points.count == 1)
      #expect(holder.point == Point(x: 10, y: 2))
      if let realm = holder.realm {
        let spots = try #require(realm.view.catalog["Spot"]).table
        #expect(realm.view.reader.rowCount(of: spots) == 2)
      }
    }
  }
}
