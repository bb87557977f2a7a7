import ChangesetOT
import SyncProtocol
import TestKit
import Testing

/// The client machine against the server machine, without a network.
struct TogetherTests {
  @Test("with commits and lost connections at random, every changeset reaches every client exactly once")
  func exactlyOnce() {
    for seed in Seeds.some(60) {
      var pair = MachinePair(seed: seed, clients: 3, version: ProtocolVersion(8 + UInt16(seed % 7)))
      var committed = 0
      for _ in 0..<600 {
        let index = pair.random.next() % UInt64(pair.devices.count)
        switch Int.random(in: 0..<40, using: &pair.random) {
        case 0...2:
          pair.commit(Int(index))
          committed += 1
        case 3: if pair.random.oneIn(4) { pair.breakConnection(Int(index)) }
        default: _ = pair.step()
        }
      }
      for index in pair.devices.indices {
        pair.feed(index, .reconnectNow)
        pair.feed(index, .waitForUploads(SessionIdent(1), WaitIdent(rawValue: 1)))
        pair.feed(index, .waitForDownloads(SessionIdent(1), WaitIdent(rawValue: 2)))
      }
      var steps = 0
      while pair.step(), steps < 20_000 { steps += 1 }
      #expect(steps < 20_000, "SEED=\(seed): the machines never come to rest")
      check(pair, committed, seed)
    }
  }

  private func check(_ pair: MachinePair, _ committed: Int, _ seed: UInt64) {
    let history = pair.realm.history.map(\.changeset)
    #expect(history.count == committed, "SEED=\(seed)")
    #expect(Set(history).count == committed, "SEED=\(seed): applied twice")
    for device in pair.devices {
      let others = pair.realm.history.filter { $0.author != device.file.file.ident }.map(\.changeset)
      #expect(device.file.remote == others, "SEED=\(seed): downloads differ from the server's history")
      #expect(device.completed.count == 2, "SEED=\(seed): a wait never ended")
      #expect(device.failures.allSatisfy { $0.origin == .network }, "SEED=\(seed): \(device.failures)")
    }
  }
}
