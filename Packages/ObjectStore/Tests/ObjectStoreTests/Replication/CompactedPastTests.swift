import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ChangesetOTTestSupport
@testable import ObjectStore
@testable import RecordStore

@Suite("the compacted past of a client that was away")
struct CompactedPastTests {
  /// A client as a plain value, fed as its file is: the source of edits that its file can record.
  private struct Mirror {
    var model: ModelClient
    var generator: EditGenerator
    /// The file's versions of its commits.
    var versions: [ClientVersion] = []

    mutating func take(_ scan: DownloadScan) throws {
      let entries = try scan.entries.map { entry in
        ModelDownload(
          changeset: try Changeset(
            decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)),
          base: ClientVersion(UInt64(versions.count { $0 <= entry.cursor.client })))
      }
      try model.integrate(entries, upTo: 0)
    }
  }

  @Test("replicas end equal, whoever gets a compacted past, whatever the order, the clocks and the size of messages")
  func networks() throws {
    var chosen = 0
    for seed in Seeds.some(80) {
      do { chosen += try network(seed) } catch { Issue.record("SEED=\(seed): \(error)") }
    }
    #expect(chosen > 0)
  }

  /// - Returns: the number of compacted pasts.
  private func network(_ seed: UInt64) throws -> Int {
    var random = SeededGenerator(seed: seed &+ 0xC0FFEE)
    let idents = (2..<5).map { FileIdent($0) }
    let network = try StoreNetwork(base: ModelState.sample().instructions, clients: 3, seed: seed)
    var mirrors: [FileIdent: Mirror] = [:]
    for ident in idents {
      var generator = EditGenerator(seed: seed, author: ident, weights: .forNetworks)
      generator.keyLimit = 3
      mirrors[ident] = Mirror(model: ModelClient(ident: ident, state: .sample()), generator: generator)
    }
    var chosen = 0
    func download(_ ident: FileIdent, byteLimit: Int = .max) throws {
      guard let client = network.clients[ident] else { return }
      let scan = try network.server.scan(for: ident, from: try client.progress().download, byteLimit: byteLimit)
      try mirrors[ident]?.take(scan)
      try client.integrate(scan.entries, progress: scan.progress)
    }
    for _ in 0..<70 {
      let ident = idents[Int.random(in: 0..<3, using: &random)]
      guard let client = network.clients[ident], var mirror = mirrors[ident] else { continue }
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1: try network.upload(ident, limit: Int.random(in: 1...3, using: &random))
      case 2:
        if try network.server.compactPast(
          for: ident, from: client.progress().download, leastBytes: 0, mostBytes: random.oneIn(3) ? 300 : .max)
        {
          chosen += 1
        }
        try download(ident, byteLimit: random.oneIn(2) ? 60 : .max)
      default:
        var state = mirror.model.state
        let instructions = try mirror.generator.transaction(
          on: &state, edits: Int.random(in: 1...3, using: &random))
        guard !instructions.isEmpty else { continue }
        let time = OriginTimestamp(UInt64.random(in: 0..<100, using: &random))
        try mirror.model.commit(instructions, at: time)
        try client.file.commit(instructions, at: time)
        mirror.versions.append(try client.newestVersion())
        mirrors[ident] = mirror
      }
    }
    for _ in 0..<3 {
      for ident in idents {
        try network.upload(ident)
        try download(ident)
      }
    }
    let dumps = try network.dumps
    for dump in dumps where dump != dumps[0] {
      Issue.record("SEED=\(seed): replicas differ\n\(dump)\n---\n\(dumps[0])")
    }
    for (ident, mirror) in mirrors where mirror.model.state.dump != dumps[0] {
      Issue.record("SEED=\(seed): client \(ident) and its mirror differ")
    }
    return chosen
  }

  // MARK: One server, written by one client while others are away

  private struct Scene {
    let network: StoreNetwork
    let writer = FileIdent(2)
    let away = FileIdent(3)
    let other = FileIdent(4)

    /// Nine objects of a class with integers, known to all. ``write(_:from:)`` writes the first eight.
    init() throws {
      let table = PrimaryKeyColumn(field: "_id", type: .int, isNullable: false)
      var base: [Instruction] = [.addTable(AddTable(table: "Sensor", kind: .topLevel, primaryKey: table))]
      for field in ["value", "count"] { base.append(.addColumn(AddColumn(table: "Sensor", field: field, type: .int))) }
      for number in 0..<9 { base.append(.createObject(CreateObject(object: Self.sensor(number)))) }
      network = try StoreNetwork(base: base, clients: 3, seed: 1)
    }

    static func sensor(_ number: Int) -> ObjectReference {
      ObjectReference(className: "Sensor", key: .int(Int64(number)))
    }

    func write(_ count: Int, from first: Int = 0) throws {
      let file = try #require(network.clients[writer]).file
      for number in first..<first + count {
        let sensor = Self.sensor(number % 8)
        try file.commit(
          [
            .update(Update(target: Target(object: sensor, field: "value"), payload: .int(Int64(number)))),
            .addInteger(AddInteger(target: Target(object: sensor, field: "count"), amount: 1)),
          ], at: OriginTimestamp(UInt64(number + 1)))
      }
      try network.upload(writer)
    }

    func cursor(_ ident: FileIdent) throws -> DownloadCursor {
      try #require(network.clients[ident]).progress().download
    }

    func compact(_ ident: FileIdent, leastBytes: Int = 0, mostBytes: Int = .max) throws -> Bool {
      try network.server.compactPast(
        for: ident, from: try cursor(ident), leastBytes: leastBytes, mostBytes: mostBytes)
    }

    func scan(_ ident: FileIdent, byteLimit: Int = .max) throws -> DownloadScan {
      try network.server.scan(for: ident, from: try cursor(ident), byteLimit: byteLimit)
    }

    func bytes(_ scan: DownloadScan) -> Int { scan.entries.reduce(0) { $0 + $1.changeset.count } }
  }

  @Test("a device fed with the compacted past equals one fed with the plain one, for a fiftieth of the bytes")
  func equal() throws {
    let scene = try Scene()
    try scene.write(2_000)
    let plain = scene.bytes(try scene.scan(scene.other))
    #expect(try scene.compact(scene.away))
    let short = try scene.scan(scene.away)
    #expect(short.reachedEnd)
    #expect(scene.bytes(short) * 50 < plain, "\(scene.bytes(short)) of \(plain) bytes")
    try scene.network.download(scene.away)
    try scene.network.download(scene.other)
    let dumps = try scene.network.dumps
    #expect(dumps.allSatisfy { $0 == dumps[0] })
  }

  @Test("what was made offline merges with the compacted past on both sides, with clocks that were put back too")
  func offline() throws {
    let scene = try Scene()
    let client = try #require(scene.network.clients[scene.away])
    let value = Target(object: Scene.sensor(8), field: "value")
    let writer = try #require(scene.network.clients[scene.writer]).file
    for (number, time) in [(1, 10), (2, 5)] as [(Int64, UInt64)] {
      try writer.commit([.update(Update(target: value, payload: .int(number)))], at: OriginTimestamp(time))
    }
    try scene.network.upload(scene.writer)
    try scene.write(100)
    try client.file.commit([.update(Update(target: value, payload: .int(3)))], at: OriginTimestamp(7))
    #expect(try scene.compact(scene.away))
    try scene.network.upload(scene.away)
    for ident in [scene.away, scene.other, scene.writer] { try scene.network.download(ident) }
    let dumps = try scene.network.dumps
    #expect(dumps.allSatisfy { $0 == dumps[0] })
  }

  @Test("a client that was cut off gets the rest of the same form, also from a server that was started anew")
  func resumed() throws {
    let scene = try Scene()
    try scene.write(400)
    #expect(try scene.compact(scene.away))
    let whole = try scene.scan(scene.away)
    #expect(whole.entries.count > 2)
    let client = try #require(scene.network.clients[scene.away])
    let first = try scene.scan(scene.away, byteLimit: 1)
    #expect(first.entries.count == 1)
    #expect(!first.reachedEnd)
    try client.integrate(first.entries, progress: first.progress)
    try scene.write(50, from: 400)
    var random = SeededGenerator(seed: 2)
    let restarted = try ServerHistory(scene.network.server.file, random: &random)
    let rest = try restarted.scan(for: scene.away, from: try scene.cursor(scene.away), byteLimit: .max)
    #expect(rest.entries.map(\.changeset) == whole.entries.dropFirst().map(\.changeset))
    #expect(!rest.reachedEnd)
    try client.integrate(rest.entries, progress: rest.progress)
    for ident in [scene.away, scene.other] { try scene.network.download(ident) }
    let dumps = try scene.network.dumps
    #expect(dumps.allSatisfy { $0 == dumps[0] })
  }

  @Test("a past stays as it is when it is short, when half of it would be left, or with uploads of the client in it")
  func unchosen() throws {
    let scene = try Scene()
    try scene.write(100)
    #expect(try !scene.compact(scene.away, leastBytes: 1 << 20))
    let client = try #require(scene.network.clients[scene.away])
    try client.file.commit(
      [.update(Update(target: Target(object: Scene.sensor(1), field: "value"), payload: .int(3)))],
      at: OriginTimestamp(7))
    try scene.network.upload(scene.away)
    #expect(try !scene.compact(scene.away))
    try scene.network.download(scene.away)
    try scene.write(8)
    #expect(try !scene.compact(scene.away), "each of the eight is written once")
  }

  @Test("one form at a time: the next is chosen once the client has acknowledged the last one")
  func acknowledged() throws {
    let scene = try Scene()
    try scene.write(100)
    #expect(try scene.compact(scene.away, mostBytes: 1_000))
    let range = try #require(try scene.network.server.clientFile(scene.away)?.pendingCompaction)
    #expect(range.upperBound < (try scene.network.server.state().current.version))
    #expect(try !scene.compact(scene.away))
    for _ in 0..<2 { try scene.network.download(scene.away) }
    try scene.write(100, from: 100)
    #expect(try !scene.compact(scene.away), "the server has not heard that the client has it")
    try scene.network.upload(scene.away)
    #expect(try scene.network.server.clientFile(scene.away)?.pendingCompaction == nil)
    #expect(try scene.compact(scene.away))
    for ident in [scene.away, scene.other] { try scene.network.download(ident) }
    let dumps = try scene.network.dumps
    #expect(dumps.allSatisfy { $0 == dumps[0] })
  }
}
