import DataModel
import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

final class Coded: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var nickname: String?
  @Persisted var price: Decimal128?
  @Persisted var kind: Species
  @Persisted var tags: List<String>
  @Persisted var marks: MutableSet<Int>
  @Persisted var ages: Map<String, Int>
  @Persisted var parts: List<CodedPart>
  @Persisted var next: Coded?
  @Persisted var key: ObjectId
}

final class CodedPart: EmbeddedObject, Codable {
  @Persisted var label: String
}

extension Species: Codable {}

@Suite("coding")
struct CodingTests {
  private let text = #"""
    {"id": 1, "name": "n", "price": "1.50", "kind": "cat", "tags": ["a", "b"], "marks": [3], "ages": {"x": 1},
     "parts": [{"label": "p"}], "key": "0123456789abcdef01234567", "nickname": null,
     "next": {"id": 2, "name": "m", "kind": "dog", "tags": [], "marks": [], "ages": {}, "parts": [],
     "key": "000000000000000000000000"}}
    """#

  private func check(_ object: Coded) {
    #expect(object.id == 1)
    #expect(object.name == "n")
    #expect(object.nickname == nil)
    #expect(object.price == 1.5)
    #expect(object.kind == .cat && Array(object.tags) == ["a", "b"] && Array(object.marks) == [3])
    #expect(object.ages["x"] == 1)
    #expect(object.parts.first?.label == "p")
    #expect(object.next?.name == "m")
    #expect(object.next?.next == nil)
    #expect(object.key.stringValue == "0123456789abcdef01234567")
  }

  private func decoded(_ text: String) throws -> Coded { try JSONDecoder().decode(Coded.self, from: Data(text.utf8)) }

  @Test("objects are decoded and encoded, unmanaged and live alike; missing keys are nil where they may be")
  func both() throws {
    let object = try decoded(text)
    check(object)
    let unmanaged = try JSONEncoder().encode(object)
    check(try decoded(String(decoding: unmanaged, as: UTF8.self)))
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: "coding", objectTypes: [Coded.self, CodedPart.self]))
    try realm.write { realm.add(object) }
    check(object)
    check(try decoded(String(decoding: try JSONEncoder().encode(object), as: UTF8.self)))
    let same = try #require(realm.object(ofType: Coded.self, forPrimaryKey: 1))
    try realm.write { same.name = "changed" }
    let live = try decoded(String(decoding: try JSONEncoder().encode(same), as: UTF8.self))
    #expect(live.name == "changed")
    #expect(live.parts.count == 1)
    let array = try JSONEncoder().encode(realm.objects(Coded.self).sorted(byKeyPath: "id"))
    #expect(try JSONDecoder().decode([Coded].self, from: array).map(\.id) == [1, 2])
  }

  @Test("a missing key of a property that is not optional is an error")
  func missing() {
    #expect(throws: DecodingError.self) { try decoded(#"{"id": 1}"#) }
  }

  @Test("a new object encodes its defaults")
  func defaults() throws {
    let fresh = Coded()
    let again = try decoded(String(decoding: try JSONEncoder().encode(fresh), as: UTF8.self))
    #expect(again.name == "")
    #expect(again.tags.isEmpty)
    #expect(again.kind == .dog)
  }
}
