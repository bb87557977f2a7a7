import ChangesetOT
import CommitFeed
import TestKit
import Testing

@testable import RecordStore

@Suite("the feed against the history") struct FeedLawTests {
  @Test(
    "commits applied from version 0 on give the realm, and tell its objects' values, wherever the reader is stopped")
  func replicas() throws {
    for seed in Seeds.some(60) {
      do { try replica(seed) } catch {
        Issue.record("SEED=\(seed): \(error)")
        return
      }
    }
  }

  private func replica(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 0xFEED)
    var network = try FeedNetwork(seed: seed, clients: 4)
    var replica = try FeedReplica()
    var reader = try CommitFeed(of: "/r", network.server).reader("replica", from: .oldest)
    try network.begin()
    var complaint: String?

    func read(_ network: FeedNetwork, limit: Int) throws {
      guard let batch = try reader.next(byteLimit: limit) else { return }
      // The reader may stop after any commit, and before or after it moved the cursor.
      let stop = random.oneIn(3) ? Int.random(in: 0...batch.commits.count, using: &random) : batch.commits.count
      for commit in batch.commits.prefix(stop) {
        let snapshot = try network.server.file.store.latestSnapshot()
        let known = try InverseLog.since(in: snapshot) ?? .zero
        complaint = try complaint ?? replica.apply(commit, of: batch, known: known)
      }
      let isComplete = stop == batch.commits.count
      if !random.oneIn(4), let last = isComplete ? batch.end : batch.commits.prefix(stop).last?.position {
        try reader.advance(to: last)
      }
      if !isComplete || random.oneIn(4) { reader = try CommitFeed(of: "/r", network.server).reader("replica") }
    }

    for _ in 0..<60 where complaint == nil {
      try network.step()
      if random.oneIn(3) { try read(network, limit: random.oneIn(2) ? 1 : 1 << 20) }
    }
    try network.settle()
    reader = try CommitFeed(of: "/r", network.server).reader("replica")
    while complaint == nil, let batch = try reader.next(byteLimit: 1 << 20) {
      let known = try InverseLog.since(in: network.server.file.store.latestSnapshot()) ?? .zero
      for commit in batch.commits { complaint = try complaint ?? replica.apply(commit, of: batch, known: known) }
      try reader.advance(to: batch.end)
    }
    #expect(complaint == nil, "SEED=\(seed)")
    let (dump, expected) = (try replica.file.dump(), try network.server.file.dump())
    #expect(dump == expected, "SEED=\(seed): \(dump)\n--- expected\n\(expected)")
    #expect(try network.server.feedCursor("replica")?.lag == FeedLag())
    #expect(replica.toldCommits > 0)
  }
}
