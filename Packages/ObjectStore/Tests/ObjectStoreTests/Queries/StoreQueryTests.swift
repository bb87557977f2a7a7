import DataModel
import Foundation
import QueryLanguage
import QueryLanguageTestSupport
import StorageEngine
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Queries over realm files: the conformance vectors, and random queries against the oracle of the language.
@Suite("Queries over files") struct StoreQueryTests {
  @Test("the vectors hold in a file") func vectors() throws {
    for url in RepositoryFiles.vectors("query", variable: "OPENREALM_QUERY_VECTORS") {
      let vectors = try VectorFile(url)
      let memory = vectors.source()
      let file = try memoryFile()
      _ = try StoreFiller.fill(file, from: memory)
      let source = ReadViewQuerySource(try file.latestReadView(), schema: vectors.schema.schema)
      for vector in vectors.vectors {
        guard let expect = vector.expect else { continue }
        let plan = try QueryPlan(
          vector.parsed(), className: vector.className, schema: vectors.schema, arguments: vector.arguments)
        let table = try #require(try source.table(vector.className))
        let found = try plan.rows(in: source).compactMap { try table.objectKey(of: $0)?.value }
        if vector.isOrdered {
          #expect(found == expect, "\(vector)")
        } else {
          #expect(Set(found) == Set(expect), "\(vector): \(found) not \(expect)")
          #expect(found.count == expect.count, "\(vector): \(found) not \(expect)")
        }
        #expect(try plan.count(in: source) == expect.count, "\(vector)")
      }
    }
  }

  @Test("arrays of one plain type are the values that their elements are one by one") func typedArrays() throws {
    let arrays: [[Any]] = [
      ["a", "", "é"], [1, -1, Int.max], [Int64.min, 0], [0.5, -0.0, Double.infinity], [true, false],
      [ObjectId.zero], [Float(1.5)], ["a", 1, NSNull()],
    ]
    func typed(_ any: Any) -> QueryArgument { QueryArgument(literal: any) }
    #expect(typed(["a", "", "é"]) == .list([.string("a"), .string(""), .string("é")]))
    #expect(typed([1, -1, Int.max]) == .list([.int(1), .int(-1), .int(.max)]))
    #expect(typed([Int64.min, 0]) == .list([.int(.min), .int(0)]))
    #expect(typed([0.5, Double.infinity]) == .list([.double(0.5), .double(.infinity)]))
    #expect(typed([ObjectId.zero]) == .list([.objectId(.zero)]))
    let uuid = UUID()
    #expect(typed([uuid]) == .list([.uuid(uuid)]))
    #expect(typed([true, false]) == .list([.bool(true), .bool(false)]))
    #expect(typed([Float(1.5)]) == .list([.float(1.5)]))
    for array in arrays { #expect(typed(array) == .list(array.map { Value(literal: $0) })) }
    #expect(typed([String]()) == .list([]))
    #expect(typed(["a", nil] as [String?]) == .list([.string("a"), .null]))
    #expect(typed(5) == .value(.int(5)))
    #expect(typed(true) == .value(.bool(true)))
    #expect(typed(0.5) == .value(.double(0.5)))
  }

  @Test("prefixes are found whatever their length and the length of the texts, alone and with few or many others")
  func prefixes() throws {
    let texts = ["", "A", "A\0", "\0", "AB", "AB\0", "ABC", "ABCD", "ABCDE", "ABCDEFGHIJ", "B", "é", "éa"]
    let realm = try Realm(configuration: memoryConfiguration())
    try realm.write {
      for number in 0..<600 {
        let text = texts[number * 7 % texts.count]
        realm.add(Person(value: ["id": number, "name": text, "age": number % 100] as [String: Any]))
      }
    }
    let people = realm.objects(Person.self)
    for prefix in texts + ["ABCDEFGHI", "C"] {
      let found = people.filter("name BEGINSWITH %@ AND age > 40", prefix).map(\.id)
      let wanted = (0..<600).filter { texts[$0 * 7 % texts.count].utf8.starts(with: prefix.utf8) && $0 % 100 > 40 }
      #expect(Array(found) == wanted, "\(prefix.debugDescription)")
      #expect(
        people.filter("name BEGINSWITH %@", prefix).count == people.count { $0.name.utf8.starts(with: prefix.utf8) })
    }
  }
}
