import ChangesetOT
import DataModel
import Foundation
import GraphQL
import RealmGraphQL
import RecordStore
import TestKit

/// One realm of a server in memory with people, and subscriptions of which each shows one of them. No sockets, no disk.
final class GraphQLFleet {
  static let schema = Schema([
    ObjectSchema(
      className: "Person", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "name", type: .string), Property(name: "age", type: .int),
      ])
  ])

  private let history: ServerHistory
  private let live = LiveQueries(RealmGraphQLCache())
  private var round = 0

  init(people: [PersonValues], subscriptions: Int) throws {
    var random = SeededGenerator(seed: 1)
    history = try ServerHistory(
      RealmFile.open(.inMemory(name: "fleet \(UInt64.random(in: 0 ..< .max))")), random: &random)
    try history.file.edit { editor in
      try editor.addClasses(Self.schema)
      for person in people { try Self.add(person, to: editor) }
    }
    let access = ViewAccess(user: "bench", isAdministrator: true)
    for number in 0..<subscriptions {
      let request = GraphQLRequest("subscription { persons(query: \"id == \(number)\") { id name age } }")
      let admission = try live.add(UInt64(number), request, for: access, in: history)
      if let refusal = admission.refusal { throw refusal }
    }
  }

  static func add(_ person: PersonValues, to editor: RealmEditor) throws {
    let object = ObjectReference(className: "Person", key: .int(Int64(person.id)))
    try editor.create(object)
    try editor.set(["name": .value(.string(person.name)), "age": .value(.int(Int64(person.age)))], of: object)
  }

  /// The processor time of a write to one of the first ten people, with the result for its subscriber.
  func secondsPerWrite(rounds: Int = 200) throws -> Double {
    func one() throws {
      round += 1
      let object = ObjectReference(className: "Person", key: .int(Int64(round % 10)))
      try history.file.edit { try $0.set(["age": .value(.int(Int64(self.round)))], of: object) }
      let told = try live.update(history).reduce(0) { $0 + $1.subscribers.count }
      guard told == 1 else { throw BenchmarkFailure("\(told) subscribers were told, not one") }
    }
    for _ in 0..<rounds { try one() }
    return median(try (0..<7).map { _ in try processorSeconds { for _ in 0..<rounds { try one() } } }) / Double(rounds)
  }
}
