import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// A server and clients as files in memory, beside the same network of plain values.
struct StoreNetwork {
  let server: ServerHistory
  var clients: [FileIdent: ClientHistory] = [:]
  var salts: [FileIdent: Int64] = [:]
  private var counters: [FileIdent: PendingUploadCounter] = [:]

  init(base: [Instruction], clients count: Int, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    server = try ServerHistory(try memoryFile(), random: &random)
    try server.file.commit(base, at: OriginTimestamp(0))
    for _ in 0..<count {
      let ident = try server.allocateClientFile(random: &random)
      let client = ClientHistory(try memoryFile(recordsChangesets: true))
      try client.storeFileIdent(ident)
      clients[ident.ident] = client
      counters[ident.ident] = PendingUploadCounter(client)
      try download(ident.ident)
    }
  }

  func upload(_ ident: FileIdent, limit: Int = .max) throws {
    guard let client = clients[ident], let known = try server.clientFile(ident) else { return }
    var scan = try client.uploadableEntries(after: known.upload)
    if scan.entries.count > limit {
      scan.entries.removeLast(scan.entries.count - limit)
      scan.progress = scan.entries[limit - 1].cursor
    }
    guard scan.progress != known.upload else { return }
    try checkTally(ident)
    let batch = UploadBatch(
      file: ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion, entries: scan.entries)
    for outcome in try server.integrate([batch]) {
      if case .refused(let refusal) = outcome { throw refusal }
    }
  }

  func download(_ ident: FileIdent, byteLimit: Int = .max) throws {
    guard let client = clients[ident] else { return }
    let scan = try server.scan(for: ident, from: try client.progress().download, byteLimit: byteLimit)
    try client.integrate(scan.entries, progress: scan.progress)
    try checkTally(ident)
  }

  /// Compares the count that was kept up step by step with one count of everything.
  private func checkTally(_ ident: FileIdent) throws {
    // Clients that a test adds have none.
    guard let counter = counters[ident], let client = clients[ident] else { return }
    #expect(try counter.count().changesets == client.pendingCount())
  }

  var dumps: [StateDump] {
    get throws { try [server.file.dump()] + clients.values.map { try $0.file.dump() } }
  }
}

@Suite("replication")
struct NetworkTests {
  @Test("networks of three clients end equal, and equal to the model, whatever the order and the clocks")
  func networks() throws {
    for seed in Seeds.some(60) {
      do { try network(seed) } catch {
        Issue.record("SEED=\(seed): \(error)")
        return
      }
    }
  }

  private func network(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ 0xF00D)
    let idents = (2..<5).map { FileIdent($0) }
    var model = ModelNetwork(state: .sample(), clients: idents)
    let network = try StoreNetwork(base: ModelState.sample().instructions, clients: 3, seed: seed)
    var generators: [FileIdent: EditGenerator] = [:]
    for ident in idents { generators[ident] = EditGenerator(seed: seed, author: ident, weights: .forNetworks) }
    for _ in 0..<40 {
      let ident = idents[Int.random(in: 0..<3, using: &random)]
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        let limit = Int.random(in: 1...3, using: &random)
        try model.upload(ident, limit: limit)
        try network.upload(ident, limit: limit)
      case 1:
        try model.download(ident)
        try network.download(ident)
      default:
        guard var state = model.state(of: ident), var generator = generators[ident] else { continue }
        let instructions = try generator.transaction(on: &state, edits: Int.random(in: 1...3, using: &random))
        generators[ident] = generator
        let time = OriginTimestamp(UInt64.random(in: 0..<100, using: &random) + (random.oneIn(5) ? 100_000_000_000 : 0))
        guard !instructions.isEmpty else { continue }
        try model.commit(ident, instructions, at: time)
        try network.clients[ident]?.file.commit(instructions, at: time)
      }
    }
    for _ in 0..<2 { for ident in idents { try network.upload(ident) } }
    for ident in idents { try network.download(ident) }
    for ident in idents { try model.upload(ident) }
    for ident in idents { try model.download(ident) }
    let dumps = try network.dumps
    for dump in dumps where dump != dumps[0] {
      Issue.record("SEED=\(seed): replicas differ\n\(dump)\n---\n\(dumps[0])")
    }
    let expected = model.server.state.dump
    #expect(dumps[0] == expected, "SEED=\(seed): \(dumps[0])\n--- expected\n\(expected)")
    for client in network.clients.values {
      try client.file.store.verify()
      #expect(try LinkBooks(client.file).complaint == nil, "SEED=\(seed)")
      #expect(try client.file.store.log(ClientLog.reciprocals).firstPosition() == nil, "SEED=\(seed): it is trimmed")
    }
  }
}

extension ModelNetwork {
  func state(of ident: FileIdent) -> ModelState? {
    let position = idents.firstIndex(of: ident)
    return position.map { allStates[$0 + 1] }
  }
}
