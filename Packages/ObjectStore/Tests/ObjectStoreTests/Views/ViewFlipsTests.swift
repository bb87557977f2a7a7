import ChangesetOT
import DataModel
import Testing

@testable import RecordStore

@Suite("objects that clients were sent anew")
struct ViewFlipsTests {
  private static func objects(_ range: Range<Int64>) -> [ObjectReference] {
    range.map { ObjectReference(className: "Task", key: .int($0)) }
  }

  @Test("too many of all clients are forgotten together, and count as sent anew up to then")
  func bound() {
    let memory = ViewMemory()
    let clients = (1...21).map { FileIdent($0) }
    let (known, other) = (Self.objects(0..<1)[0], Self.objects(-1..<0)[0])
    for (number, client) in clients.enumerated() {
      memory.note(Self.objects(0..<9_999), sentTo: client, at: ServerVersion(UInt64(number) + 10), since: .zero)
      let flips = memory.flips(of: clients[0])
      guard number == 20 else {
        #expect(flips.knows(known, after: ServerVersion(9)))
        #expect(!flips.contains(other, after: ServerVersion(9)))
        continue
      }
      #expect(flips.count == 0)
      #expect(flips.contains(other, after: ServerVersion(29)))
      #expect(!flips.contains(other, after: ServerVersion(30)))
    }
    // The count begins again.
    memory.note(Self.objects(0..<9_999), sentTo: clients[0], at: ServerVersion(40), since: .zero)
    #expect(memory.flips(of: clients[0]).knows(known, after: ServerVersion(39)))
  }
}
