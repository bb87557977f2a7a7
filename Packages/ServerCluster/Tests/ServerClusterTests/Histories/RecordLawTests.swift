import Foundation
import ObjectServer
import Permissions
import PostgresClientTestSupport
import RecordStore
import TestKit
import Testing

@testable import ServerCluster

@Suite("nodes that come and go", .enabled(if: PostgresServer.isThere))
struct RecordLawTests {
  /// Nodes write one realm in turns, lose their leases while they have it open, lose their files, start again; what was
  /// acknowledged is there once, in the order of the epochs.
  @Test("no acknowledged write is lost, and none is made under an epoch that is over")
  func law() async throws {
    try await ClusterScene.run { scene in
      for seed in Seeds.some(3) { try Self.run(seed, scene) }
    }
  }

  private static func run(_ seed: UInt64, _ scene: ClusterScene) throws {
    var random = SeededGenerator(seed: seed)
    let path = try RealmPath("/ann/notes\(seed)")
    var nodes = try ["a", "b", "c"].map { try scene.node("\($0)\(seed)") }
    var open: [ServerHistory?] = [nil, nil, nil]
    var acknowledged: [Int64: String] = [:]
    for number in 0..<Int64(60) {
      let place = Int.random(in: 0..<3, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        open[place] = nil
        try nodes[place].wipe()
      case 1:
        open[place] = nil
        nodes[place].ownership.close()
        nodes[place] = try scene.node(nodes[place].name)
      case 2, 3:
        try scene.sql("UPDATE node SET expires = '-infinity'")
      case 4: open[place] = nil
      case _:
        do {
          let history = try open[place] ?? nodes[place].open(path)
          open[place] = history
          try Notes.put(number, nodes[place].name, in: history)
          acknowledged[number] = nodes[place].name
        } catch {
          open[place] = nil
        }
      }
    }
    open = [nil, nil, nil]
    try scene.sql("UPDATE node SET expires = '-infinity'")
    #expect(Notes.texts(try nodes[0].content(path)) == acknowledged, "SEED=\(seed)")
    #expect(acknowledged.count > 10, "SEED=\(seed)")
    let epochs = try scene.sql(
      "SELECT epoch FROM realm_commit JOIN realm ON realm = number WHERE path = '\(path)' ORDER BY realm_commit.version"
    )
    let sequence = (0..<epochs.count).compactMap { epochs.integer($0, 0) }
    #expect(sequence == sequence.sorted(), "SEED=\(seed)")
    for node in nodes { node.ownership.close() }
  }
}
