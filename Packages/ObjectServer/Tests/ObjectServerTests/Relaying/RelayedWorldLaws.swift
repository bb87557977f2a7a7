@testable import ObjectServer
import SyncProtocol
import TestKit
import Testing

@Suite("laws of the relay of sessions, with nodes that fail")
struct RelayedWorldLaws {
  @Test("every session is answered in order and can be bound again, whoever ends it when", arguments: Seeds.some(400))
  func sessions(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var world = RelayedWorld()
    for _ in 0..<600 where world.complaint == nil {
      let session = RelayedWorld.idents[Int.random(in: 0..<RelayedWorld.idents.count, using: &random)]
      switch Int.random(in: 0..<24, using: &random) {
      case 0..<4: world.write(session, ends: random.oneIn(4))
      case 4: world.end(session)
      case 5: world.fail(session, at: RelayedWorld.side(&random))
      case 6 where random.oneIn(4): RelayedWorld.side(&random).map { world.lose($0) }
      default: world.advance(&random)
      }
    }
    settle(&world, &random)
    for session in RelayedWorld.idents {
      let marks = world.marks[session]
      switch world.bindings[session] {
      case .bound?: #expect(marks?.asked == marks?.answered, "SEED=\(seed) \(session) is not answered")
      case .unbinding?: Issue.record("SEED=\(seed) \(session) was not told of its end")
      case .told?, nil: break
      }
    }
    #expect(world.relay.keptBytes == 0, "SEED=\(seed)")
    // Everyone leaves: those that are told of a failure then, too.
    for _ in 0..<2 {
      for session in RelayedWorld.idents where world.bindings[session] != nil { world.write(session, ends: true) }
      settle(&world, &random)
    }
    #expect(world.bindings.isEmpty && world.relay.routes.isEmpty, "SEED=\(seed) \(world.relay.routes)")
    #expect(world.complaint == nil, "SEED=\(seed)")
  }

  /// Moves what is under way until nothing is, or a side complains.
  private func settle(_ world: inout RelayedWorld, _ random: inout SeededGenerator) {
    while !world.isQuiet, world.complaint == nil { world.advance(&random) }
  }
}
