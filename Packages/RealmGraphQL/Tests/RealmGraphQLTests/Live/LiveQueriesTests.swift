import ChangesetOT
import DataModel
import GraphQL
import RecordStore
import TestKit
import Testing

@testable import RealmGraphQL

@Suite struct LiveQueriesTests {
  @Test("equal subscriptions are one evaluation with the same bytes")
  func cohorts() throws {
    var random = SeededGenerator(seed: 1)
    let kennel = try LiveKennel(&random)
    for id in 0..<100 { try kennel.subscribe(UInt64(id), "subscription { dogs { name } }") }
    #expect(kennel.live.cohortCount == 1)
    let before = kennel.pushes
    try kennel.history.file.edit { try $0.create(ObjectReference(className: "Dog", key: .string("Rex"))) }
    try kennel.update()
    #expect(kennel.pushes == before + 1)
    #expect(kennel.last[99] == #"{"data":{"dogs":[{"name":"Rex"}]}}"#)
  }

  @Test("a commit evaluates those subscriptions only whose objects it concerns")
  func selectivity() throws {
    var random = SeededGenerator(seed: 1)
    let kennel = try LiveKennel(&random)
    for id in 0..<200 { try kennel.subscribe(UInt64(id), "subscription { persons(query: \"id == \(id)\") { name } }") }
    let evaluations = kennel.live.evaluationCount
    try kennel.history.file.edit { editor in
      try editor.create(ObjectReference(className: "Person", key: .int(7)))
      try editor.create(ObjectReference(className: "Dog", key: .string("Rex")))
    }
    try kennel.update()
    #expect(kennel.live.evaluationCount == evaluations + 1)
  }

  @Test("a subscription whose class is gone ends with the reason")
  func erasedClass() throws {
    var random = SeededGenerator(seed: 1)
    let kennel = try LiveKennel(&random)
    try kennel.subscribe(1, "subscription { notes { text } }")
    try kennel.history.file.edit {
      try $0.addClasses(
        Schema([ObjectSchema(className: "New", primaryKey: "id", properties: [Property(name: "id", type: .int)])]))
    }
    try kennel.update()
    #expect(kennel.live.count == 1, "another class changes nothing")
    #expect(kennel.last[1] == #"{"data":{"notes":[]}}"#)
  }

  @Test("what is no subscription is refused, and leaves nothing behind")
  func refusals() throws {
    var random = SeededGenerator(seed: 1)
    let kennel = try LiveKennel(&random)
    for query in ["{ dogs { name } }", "subscription { cats { name } }", "subscription { dogs"] {
      #expect(throws: LiveQueryError.self) { try kennel.subscribe(1, query) }
    }
    #expect(kennel.live.isEmpty)
    #expect(kennel.live.cohortCount == 0)
  }

  @Test("a subscription that is refused takes no result from those that were there before")
  func refusalBesideNews() throws {
    var random = SeededGenerator(seed: 1)
    let kennel = try LiveKennel(&random)
    try kennel.subscribe(1, "subscription { dogs { name } }")
    try kennel.history.file.edit { try $0.create(ObjectReference(className: "Dog", key: .string("Rex"))) }
    #expect(throws: LiveQueryError.self) { try kennel.subscribe(2, "subscription { cats { name } }") }
    #expect(kennel.last[1] == #"{"data":{"dogs":[{"name":"Rex"}]}}"#)
  }

  @Test(
    "a subscription to changes whose list is not kept gets its whole list, and nothing keeps rows of those that left")
  func unkept() throws {
    var random = SeededGenerator(seed: 1)
    let kennel = try LiveKennel(&random)
    func create(_ name: String) throws {
      try kennel.history.file.edit { try $0.create(ObjectReference(className: "Dog", key: .string(name))) }
      try kennel.update()
    }
    try create("Ada")
    try kennel.subscribe(1, "subscription { dogsChanges { isInitial count insertions { position } } }")
    try create("Bob")
    #expect(kennel.last[1]?.contains(#""isInitial":false,"count":2"#) == true, "\(kennel.last)")
    #expect(kennel.live.rowCount == 2)
    kennel.live.rowCount = LiveQueries.mostRows
    try create("Cid")
    try create("Dan")
    #expect(kennel.last[1]?.contains(#""isInitial":true,"count":4"#) == true, "\(kennel.last)")
    kennel.live.rowCount -= LiveQueries.mostRows - 2
    try create("Eve")
    #expect(kennel.live.rowCount == 5)
    kennel.live.remove(1)
    #expect(kennel.live.rowCount == 0)
  }
}
