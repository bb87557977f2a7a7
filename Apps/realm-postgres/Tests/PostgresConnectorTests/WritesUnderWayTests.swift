import ChangesetOT
import DataModel
import RecordStore
import Testing

@testable import PostgresConnector

@Suite("writes that the slot has not shown")
struct WritesUnderWayTests {
  private let one = ObjectReference(className: "Item", key: .int(1))
  private let two = ObjectReference(className: "Item", key: .int(2))
  private let whole: Set<String>? = nil

  @Test("a difference waits for a later write that has the property, and for no other")
  func properties() {
    var writes = WritesUnderWay()
    writes.add([one: ["name"], two: ["price"]], marker: "a", path: "/shop")
    #expect(writes.rest(of: [one: ["name"]], path: "/shop").isEmpty)
    #expect(writes.rest(of: [one: ["name", "price"]], path: "/shop") == [one: ["price"]])
    #expect(writes.rest(of: [one: whole], path: "/shop") == [one: whole])
    #expect(writes.rest(of: [one: ["name"]], path: "/other") == [one: ["name"]])
  }

  @Test("several writes make up for a difference together, and one of the whole object for any")
  func together() {
    var writes = WritesUnderWay()
    writes.add([one: ["name"]], marker: "a", path: "/shop")
    writes.add([one: ["price"], two: whole], marker: "b", path: "/shop")
    #expect(writes.rest(of: [one: ["name", "price"], two: whole], path: "/shop").isEmpty)
    #expect(writes.rest(of: [two: ["name"]], path: "/shop").isEmpty)
  }

  @Test("what the slot has shown makes up for nothing any more, nor does what came before it")
  func shown() {
    var writes = WritesUnderWay()
    for marker in ["a", "b", "b", "c"] { writes.add([one: ["name"]], marker: marker, path: "/shop") }
    writes.show("unknown", path: "/shop")
    writes.show("b", path: "/shop")
    writes.show("b", path: "/shop")
    #expect(writes.rest(of: [one: ["name"]], path: "/shop").isEmpty)
    writes.show("c", path: "/shop")
    #expect(writes.rest(of: [one: ["name"]], path: "/shop") == [one: ["name"]])
  }
}
