import ChangesetOT
import DataModel
import Testing

@testable import RecordStore

@Suite("objects that clients were sent anew")
struct ViewFlipsTests {
  private static func objects(_ range: Range<Int64>) -> [ObjectReference] {
    range.map { ObjectReference(className: "Task", key: .int($0)) }
  }

  @Test("too many of all clients are forgotten together, and count as sent anew up to the newest of each")
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
      #expect(flips.contains(other, after: ServerVersion(9)))
      #expect(!flips.contains(other, after: ServerVersion(10)))
    }
    // The count begins again.
    memory.note(Self.objects(0..<9_999), sentTo: clients[0], at: ServerVersion(40), since: .zero)
    #expect(memory.flips(of: clients[0]).knows(known, after: ServerVersion(39)))
  }

  @Test("a client that is far behind takes nothing from what is known of others to have been sent later")
  func boundByALateClient() {
    let memory = ViewMemory()
    let known = Self.objects(0..<1)[0]
    memory.note([known], sentTo: FileIdent(1), at: ServerVersion(200), since: .zero)
    for number in 2...23 {
      memory.note(Self.objects(0..<9_999), sentTo: FileIdent(UInt64(number)), at: ServerVersion(120), since: .zero)
    }
    #expect(memory.flips(of: FileIdent(1)).contains(known, after: ServerVersion(150)))
    #expect(!memory.flips(of: FileIdent(1)).contains(known, after: ServerVersion(200)))
    #expect(!memory.flips(of: FileIdent(2)).contains(known, after: ServerVersion(120)))
  }

  @Test("an object that an earlier version is told of again keeps its newest one")
  func order() {
    var flips = ViewFlips(since: .zero)
    let object = Self.objects(0..<1)
    flips.add(object, at: ServerVersion(9))
    flips.add(object, at: ServerVersion(5))
    #expect(flips.knows(object[0], after: ServerVersion(8)))
  }
}
