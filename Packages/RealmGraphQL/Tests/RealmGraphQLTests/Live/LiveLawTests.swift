import DataModel
import GraphQL
import RecordStore
import TestKit
import Testing

@testable import RealmGraphQL

@Suite struct LiveLawTests {
  private static let selections = [
    "dogs { name age }", "dogs(query: \"age > 5\") { name }",
    "dogs(query: \"age > 5\", sortBy: \"age\", take: 2) { name age }",
    "dogs(query: \"owner.name BEGINSWITH 'A'\") { name }", "dogs(query: \"age < 9 SORT(name ASC) LIMIT(3)\") { name }",
    "dogs { name owner { name } }", "persons { id name dogs { name age } }",
    "persons(query: \"dogs.@count > 1\") { id }",
    "persons(query: \"id > $0\", arguments: [3]) { id address { city } }",
    "persons { id _linkingObjects(objectType: \"Dog\", property: \"owner\") { ... on Dog { name } } }",
    "persons(query: \"ANY dogs.age > 7\") { id }", "everythings { mixed }",
  ]

  @Test("the last push of every subscription equals its query asked anew, after every commit", .timeLimit(.minutes(45)))
  func lastPush() throws {
    for seed in Seeds.some(12) {
      var random = SeededGenerator(seed: seed)
      let kennel = try LiveKennel(&random)
      for (number, selection) in Self.selections.enumerated() {
        try kennel.subscribe(UInt64(number), "subscription { \(selection) }")
      }
      for _ in 0..<25 {
        for _ in 0...Int.random(in: 0...2, using: &random) { try Self.write(kennel.history.file, &random) }
        if Int.random(in: 0..<12, using: &random) == 0 { kennel.live.suspend() }
        try kennel.update()
        for (number, selection) in Self.selections.enumerated() {
          let anew = try kennel.ask("{ \(selection) }")
          #expect(kennel.last[UInt64(number)] == anew, "seed \(seed), \(selection)")
        }
      }
    }
  }

  @Test("applying changes to the list before gives the list anew", .timeLimit(.minutes(45)))
  func changes() throws {
    for seed in Seeds.some(12) {
      var random = SeededGenerator(seed: seed)
      let kennel = try LiveKennel(&random)
      let arguments = "(query: \"age > 2\", sortBy: \"age\")"
      try kennel.subscribe(
        1,
        "subscription { dogsChanges\(arguments) { isInitial deletions insertions { position object { name age } } modifications { position object { name age } } } }"
      )
      var list: [JSONObject] = []
      var seen = 0
      for _ in 0..<30 {
        // Two responses in a row may be the same text.
        if kennel.pushes != seen {
          seen = kennel.pushes
          list = try JSONObject.applying(try #require(kennel.last[1]), to: list)
        }
        let anew = try JSONObject.list(try kennel.ask("{ dogs\(arguments) { name age } }"))
        #expect(list == anew, "seed \(seed)")
        try Self.write(kennel.history.file, &random)
        try kennel.update()
      }
    }
  }

  /// One random transaction.
  private static func write(_ file: RealmFile, _ random: inout SeededGenerator) throws {
    try file.edit { editor in
      let dog = ObjectReference(className: "Dog", key: .string("d\(Int.random(in: 0..<8, using: &random))"))
      let person = ObjectReference(className: "Person", key: .int(Int64.random(in: 0..<6, using: &random)))
      switch Int.random(in: 0..<10, using: &random) {
      case 0: try editor.erase(dog)
      case 1: try editor.erase(person)
      case 2, 3, 4:
        try editor.create(dog)
        try editor.set(["age": .value(.int(Int64.random(in: 0..<12, using: &random)))], of: dog)
      case 5:
        try editor.create(dog)
        try editor.create(person)
        try editor.set(["owner": .value(.link(person))], of: dog)
      case 6:
        try editor.create(person)
        try editor.set(
          ["name": .value(.string(["Ada", "Bob", "Ann"].randomElement(using: &random) ?? ""))], of: person)
      case 7:
        try editor.create(person)
        try editor.set(
          ["address": .embedded(["city": .value(.string("c\(UInt8.random(in: 0..<4, using: &random))"))])], of: person)
      case 8:
        try editor.create(person)
        let everything = ObjectReference(className: "Everything", key: .objectId(.zero))
        try editor.create(everything)
        try editor.set(["mixed": .value(.link(person))], of: everything)
      default:
        try editor.create(person)
        try editor.create(dog)
        let dogs = try editor.object(person)?["dogs"]
        guard case .list(var items) = dogs else { return }
        if !items.isEmpty, Bool.random(using: &random) { items.removeFirst() } else { items.append(.value(.link(dog))) }
        try editor.set(["dogs": .list(items)], of: person)
      }
    }
  }
}
