import ByteCoding
import DataModel
import GraphQL
import RecordStore
import TestKit
import Testing

@testable import RealmGraphQL

@Suite struct QueryLawTests {
  private static let conditions = [
    "TRUEPREDICATE", "age > $0", "age BETWEEN {2, $0}", "name CONTAINS '1'", "owner.id == $0", "owner == NULL",
    "age IN {1, 2, $0} OR name ENDSWITH '7'", "NOT age < $0", "owner.dogs.@count > 1",
  ]

  @Test("GraphQL answers what the query language answers over the same version", .timeLimit(.minutes(45)))
  func sameAnswer() throws {
    for seed in Seeds.some(25) {
      var random = SeededGenerator(seed: seed)
      let kennel = try Kennel()
      try kennel.file.edit { editor in
        for id in 0..<Int64.random(in: 0...6, using: &random) {
          try editor.create(ObjectReference(className: "Person", key: .int(id)))
        }
        for number in 0..<Int.random(in: 0...600, using: &random) {
          let dog = ObjectReference(className: "Dog", key: .string("d\(number)"))
          try editor.create(dog)
          let owner = ObjectReference(className: "Person", key: .int(Int64.random(in: 0...8, using: &random)))
          let link: StateDump.Item = try editor.contains(owner) ? .value(.link(owner)) : .value(.null)
          try editor.set(
            ["age": .value(.int(Int64.random(in: 0..<10, using: &random))), "owner": link], of: dog)
        }
      }
      for condition in Self.conditions {
        let number = Int.random(in: 0..<8, using: &random)
        let (skip, take) = (Int.random(in: 0..<5, using: &random), Int.random(in: 0..<50, using: &random))
        let answer = try kennel.ask(
          "{ dogs(query: \"\(condition)\", arguments: [\(number)], sortBy: \"age\", skip: \(skip), take: \(take)) { name age owner { id } } }"
        )
        var expected: [String] = []
        let text = condition.replacing("$0", with: "\(number)") + " SORT(age ASC)"
        try kennel.file.contents().forEachObject(of: "Dog", matching: text) { dog in
          guard case .string(let name) = dog.key, case .value(.int(let age))? = dog["age"] else { return true }
          var owner = "null"
          if case .value(.link(let person))? = dog["owner"] { owner = #"{"id":\#(person.key)}"# }
          expected.append(#"{"name":"\#(name)","age":\#(age),"owner":\#(owner)}"#)
          return true
        }
        let window = expected.dropFirst(skip).prefix(take).joined(separator: ",")
        #expect(answer == #"{"data":{"dogs":[\#(window)]}}"#, "seed \(seed), \(text)")
      }
    }
  }
}
