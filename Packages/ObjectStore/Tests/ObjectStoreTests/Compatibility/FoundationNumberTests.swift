import Foundation
import StorageEngine
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Numbers of Foundation among literals and arguments: each is of the type that it was made from.
@Suite("numbers of Foundation")
struct FoundationNumberTests {
  private static let numbers: [(number: NSNumber, stored: StoredValue)] = [
    (NSNumber(value: true), .bool(true)), (NSNumber(value: false), .bool(false)), (NSNumber(value: 0), .int(0)),
    (NSNumber(value: 1), .int(1)), (NSNumber(value: 3), .int(3)), (NSNumber(value: Int8(1)), .int(1)),
    (NSNumber(value: UInt16(7)), .int(7)), (NSNumber(value: Int64.max), .int(.max)),
    (NSNumber(value: Float(1)), .float(1)), (NSNumber(value: 1.0), .double(1)), (NSNumber(value: 2.5), .double(2.5)),
  ]

  @Test("a mixed value takes a number as what it was made from")
  func mixed() throws {
    let realm = try Realm(configuration: typesConfiguration())
    let holder = try realm.write { realm.create(Holder.self, value: ["id": 1]) }
    for (number, stored) in Self.numbers {
      #expect(AnyRealmValue._converted(number)?._encoded(realm.view) == stored)
      try realm.write { holder["any"] = number }
      #expect(holder.any._encoded(realm.view) == stored)
    }
  }

  @Test("values read from JSON keep their types")
  func json() throws {
    let text = #"{"id": 1, "any": 3, "anys": [1, 0, true, 2.5, null, "x"]}"#
    let values = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let holder = Holder(value: values)
    #expect(holder.id == 1)
    #expect(holder.any == .int(3))
    #expect(Array(holder.anys) == [.int(1), .int(0), .bool(true), .double(2.5), .none, .string("x")])
  }

  @Test("a query compares a number as what it was made from")
  func queries() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      for id in 0..<4 { realm.create(Person.self, value: ["id": id, "age": id, "score": Double(id) / 2]) }
    }
    let people = realm.objects(Person.self)
    func ids(_ format: String, _ argument: Any) -> [Int] { people.filter(format, argument).map(\.id) }
    #expect(ids("age == %@", NSNumber(value: 1)) == [1])
    #expect(ids("age == %@", NSNumber(value: 1.0)) == [1])
    #expect(ids("age IN %@", [NSNumber(value: 0), NSNumber(value: 3)]) == [0, 3])
    #expect(ids("age IN %@", NSArray(array: [NSNumber(value: 1), NSNumber(value: 2)])) == [1, 2])
    #expect(ids("score == %@", NSNumber(value: 1)) == [2])
    #expect(ids("score BETWEEN %@", [NSNumber(value: 0.5), NSNumber(value: 1)]) == [1, 2])
    #expect(ids("score > %@", NSDecimalNumber(string: "0.5")) == [2, 3])
  }

  @Test("a Boolean property meets 0 and 1, as in predicates")
  func booleans() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      for flag in [true, false] { realm.create(Everything.self, value: ["id": ObjectId.generate(), "flag": flag]) }
    }
    let objects = realm.objects(Everything.self)
    #expect(objects.filter("flag == 1").map(\.flag) == [true])
    #expect(objects.filter("flag == 0").map(\.flag) == [false])
    #expect(objects.filter("flag != 1").map(\.flag) == [false])
    #expect(objects.filter("flag == %@", 1).map(\.flag) == [true])
    #expect(objects.filter("flag == %@", NSNumber(value: 0)).map(\.flag) == [false])
    #expect(objects.filter("flag IN %@", [1]).map(\.flag) == [true])
  }

  @Test("a property takes the numbers that RealmSwift takes for it, and refuses the others")
  func refusals() {
    let literals: [(any: Any, int: Int?, bool: Bool?, float: Float?, double: Double?)] = [
      (1, 1, true, 1, 1), (2, 2, nil, 2, 2), (Int8(0), 0, false, 0, 0), (1.1, nil, nil, 1.1, 1.1),
      (1.0, nil, nil, 1, 1), (Float(2.5), nil, nil, 2.5, 2.5), (true, 1, true, nil, nil),
      (NSNumber(value: true), 1, true, nil, nil), (NSNumber(value: 2), 2, nil, 2, 2),
      (NSNumber(value: 1.0), nil, nil, 1, 1), (1e300, nil, nil, nil, 1e300), ("1", nil, nil, nil, nil),
      (NSNull(), nil, nil, nil, nil), (Decimal(2), nil, nil, 2, 2),
    ]
    for literal in literals {
      #expect(Int._converted(literal.any) == literal.int, "\(literal.any)")
      #expect(Bool._converted(literal.any) == literal.bool, "\(literal.any)")
      #expect(Float._converted(literal.any) == literal.float, "\(literal.any)")
      #expect(Double._converted(literal.any) == literal.double, "\(literal.any)")
    }
    #expect(Int8._converted(300) == nil)
    #expect(Int8._converted(NSNumber(value: 12)) == 12)
    #expect(Decimal128._converted(true) == 1)
    #expect(Decimal128._converted(NSDecimalNumber(string: "0.1")) == "0.1")
  }

  @Test("a wrong number ends the program, which says where it stood")
  func refusal() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Person(value: ["id": 1, "age": 1.1] as [String: Any])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Invalid value '1.1' for property 'Person.age'"))
  }

  @Test("an integer by its name casts to every type that holds it")
  func integersByName() throws {
    let realm = try Realm(configuration: memoryConfiguration())
    let live = try realm.write {
      realm.create(Everything.self, value: ["id": ObjectId.generate(), "small": 7, "short": 8, "long": 9])
    }
    let dynamic = try #require(realm.dynamicObjects("Everything").first)
    for object in [live, Everything(value: live), dynamic] {
      #expect(object["small"] as? Int8 == 7)
      #expect(object["small"] as? Int == 7)
      #expect(object["short"] as? Int16 == 8)
      #expect(object["long"] as? Int64 == 9)
      #expect(object["long"] as? NSNumber == 9)
      #expect(object["flag"] as? Bool == false)
      #expect(object["double"] == nil)
    }
  }

  @Test("a decimal of a null is a NaN that asks for attention")
  func decimals() {
    #expect(Decimal128(value: NSNull()).isSignalingNaN)
    #expect(Decimal128(value: "no number").isNaN)
    #expect(Decimal128(number: 3.14159) == 3.14159)
  }
}
