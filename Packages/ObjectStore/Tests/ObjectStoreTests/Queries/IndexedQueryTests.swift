import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

class IndexedWords: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var word: String
  @Persisted(indexed: true) var maybe: String?
  @Persisted(indexed: true) var number: Int
  @Persisted var plainWord: String
  @Persisted var plainMaybe: String?
  @Persisted var plainNumber: Int
}

/// Properties with an index beside properties with the same values and none.
@Suite("Queries over indexed properties") struct IndexedQueryTests {
  private func realm(_ random: inout SeededGenerator) throws -> Realm {
    var configuration = memoryConfiguration()
    configuration.objectTypes = [IndexedWords.self]
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for id in 0..<600 {
        let object = IndexedWords()
        object.id = id
        object.word = Self.word(&random)
        object.maybe = random.oneIn(4) ? nil : Self.word(&random)
        object.number = Int.random(in: -4...4, using: &random)
        (object.plainWord, object.plainMaybe, object.plainNumber) = (object.word, object.maybe, object.number)
        realm.add(object)
      }
    }
    return realm
  }

  /// Words of few letters, so that many begin alike; letters of several bytes among them.
  private static func word(_ random: inout SeededGenerator) -> String {
    let letters = ["a", "b", "é", "\u{FF}", "\u{0}", "\u{10FFFF}"]
    return (0..<Int.random(in: 0...4, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
  }

  @Test("find and count what a scan finds and counts") func agree() throws {
    for seed in Seeds.some(5) {
      var random = SeededGenerator(seed: seed)
      let objects = try realm(&random).objects(IndexedWords.self)
      var found = 0
      for _ in 0..<40 {
        let (low, high) = (Int.random(in: -5...5, using: &random), Int.random(in: -5...5, using: &random))
        let (first, second) = (Self.word(&random), Self.word(&random))
        for (text, arguments) in [
          ("BEGINSWITH %@", [first]), ("== %@", [first]), ("IN %@", [[first, second]]), ("> %@", [first]),
          ("BETWEEN %@", [[first, second]]), ("== nil", []),
        ] as [(String, [Any])] {
          for (indexed, plain) in [("word", "plainWord"), ("maybe", "plainMaybe")] {
            let wanted = objects.filter("\(plain) \(text)", values: arguments)
            found += check(objects.filter("\(indexed) \(text)", values: arguments), wanted, "\(indexed) \(text)")
          }
        }
        for (text, arguments) in [
          ("== %@", [low]), ("IN %@", [[low, high]]), ("< %@", [low]), (">= %@", [low]), ("BETWEEN %@", [[low, high]]),
        ] as [(String, [Any])] {
          let wanted = objects.filter("plainNumber \(text)", values: arguments)
          found += check(objects.filter("number \(text)", values: arguments), wanted, "number \(text)")
        }
      }
      #expect(found > 1_000, "SEED=\(seed)")
    }
  }

  /// How many there are.
  private func check(_ indexed: Results<IndexedWords>, _ plain: Results<IndexedWords>, _ text: String) -> Int {
    // One by one: an array would rely on the count, which is what may be wrong.
    func ids(_ results: Results<IndexedWords>) -> [Int] { results.reduce(into: []) { $0.append($1.id) } }
    let wanted = ids(plain)
    #expect(indexed.count == wanted.count, "\(text)")
    #expect(ids(indexed) == wanted, "\(text)")
    return wanted.count
  }
}
