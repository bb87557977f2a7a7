import ByteCoding
import DataModel
import GraphQL
import RecordStore
import TestKit
import Testing

@testable import RealmGraphQL

@Suite struct KeyPagingTests {
  @Test("pages by key, in both directions and with a condition, are those of the whole list", .timeLimit(.minutes(45)))
  func pages() throws {
    for seed in Seeds.some(6) {
      var random = SeededGenerator(seed: seed)
      let kennel = try Kennel()
      try kennel.file.edit { editor in
        for _ in 0..<700 {
          let number = Int.random(in: -500..<500, using: &random)
          try editor.create(ObjectReference(className: "Person", key: .int(Int64(number))))
          let dog = ObjectReference(className: "Dog", key: .string("é\(number)"))
          try editor.create(dog)
          try editor.set(["age": .value(.int(Int64(number % 7)))], of: dog)
        }
      }
      for (field, key, conditions) in [
        ("persons", "id", ["TRUEPREDICATE", "id > -100", "id BETWEEN {-7, 300}", "id < 40"]),
        ("dogs", "name", ["TRUEPREDICATE", "age == 3", "age > 9", "name > 'é3'", "name CONTAINS[c] 'É4'"]),
      ] {
        for condition in conditions {
          for isDescending in [false, true] {
            let order = "query: \"\(condition)\", sortBy: \"\(key)\", descending: \(isDescending)"
            let whole = try Self.keys(kennel.ask("{ \(field)(\(order)) { \(key) } }"))
            var paged: [String] = []
            while let last = paged.last ?? whole.first {
              let page = try Self.keys(
                kennel.ask("{ \(field)(\(order), after: \(last), take: 60) { \(key) } }"))
              if paged.isEmpty { paged = [last] }
              paged += page
              if page.isEmpty { break }
            }
            #expect(paged == whole, "seed \(seed), \(field), \(condition), descending: \(isDescending)")
          }
        }
      }
    }
  }

  private static func keys(_ response: String) throws -> [String] {
    try JSONObject.list(response).map { object in
      let member = try JSONValue(parsing: object.text).members?.first?.value
      return member?.text ?? ""
    }
  }
}
