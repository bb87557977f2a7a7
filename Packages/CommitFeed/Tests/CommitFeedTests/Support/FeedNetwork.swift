import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit

@testable import RecordStore

/// A server's history in memory, clients that write everything that can be written, and one that may only read.
struct FeedNetwork {
  private(set) var server: ServerHistory
  private var clients: [(ident: FileIdent, history: ClientHistory)] = []
  private var generators: [EditGenerator] = []
  private var ownWrites: EditGenerator
  private var random: SeededGenerator

  init(seed: UInt64, clients count: Int) throws {
    random = SeededGenerator(seed: seed)
    server = try ServerHistory(try memoryFile(), random: &random, incarnation: 1)
    ownWrites = EditGenerator(seed: seed, author: .server, weights: .forNetworks)
    for number in 0..<count {
      let ident = try server.allocateClientFile(random: &random)
      let client = ClientHistory(try memoryFile(recordsChangesets: true))
      try client.storeFileIdent(ident)
      clients.append((ident.ident, client))
      var weights = EditGenerator.Weights.forNetworks
      // The erasure of a class cannot be undone in its author's file.
      if number == count - 1 { weights.schema = 0 }
      generators.append(EditGenerator(seed: seed, author: ident.ident, weights: weights))
    }
  }

  /// The classes and objects that all begin with.
  func begin() throws {
    try server.file.edit { editor in
      try editor.addClasses(EditGenerator.schema)
      for key in Int64(1)...3 {
        let item = ObjectReference(className: "Item", key: .int(key))
        try editor.create(item)
        try editor.set(["tags": .list(["a", "b", "c"].map { .value(.string($0)) })], of: item)
      }
    }
  }

  /// Another server process opens the file.
  mutating func restart() throws {
    server = try ServerHistory(
      server.file, random: &random, incarnation: Int64.random(in: 1...Int64.max, using: &random), isNew: false)
  }

  /// A random step of the server or one of its clients.
  mutating func step() throws {
    let number = Int.random(in: 0..<clients.count, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<5: try upload(number, limit: Int.random(in: 1...3, using: &random))
    case 5..<9: try download(number)
    case 9..<16:
      generators[number] = try edit(clients[number].history.file, with: generators[number])
    case 16..<18: ownWrites = try edit(server.file, with: ownWrites)
    case 18: try server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(0))
    default: try restart()
    }
  }

  private mutating func edit(_ file: RealmFile, with known: EditGenerator) throws -> EditGenerator {
    var generator = known
    var state = ModelState()
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .server)
    var synthesis = try StateSynthesis(file)
    while let piece = try synthesis.next() { try state.apply(Changeset(decoding: piece, origin: origin)) }
    guard state.classes["Item"] != nil else { return generator }
    let instructions = try generator.transaction(on: &state, edits: Int.random(in: 1...3, using: &random))
    if !instructions.isEmpty {
      try file.commit(instructions, at: OriginTimestamp(UInt64.random(in: 0..<100, using: &random)))
    }
    return generator
  }

  /// Writes what a client's application wrote.
  func write(_ number: Int, _ instructions: [Instruction]) throws {
    try clients[number].history.file.commit(instructions)
  }

  mutating func upload(_ number: Int, limit: Int = .max) throws {
    let client = clients[number]
    guard let known = try server.clientFile(client.ident) else { return }
    var scan = try client.history.uploadableEntries(after: known.upload)
    if scan.entries.count > limit {
      scan.entries.removeLast(scan.entries.count - limit)
      scan.progress = scan.entries[limit - 1].cursor
    }
    guard scan.progress != known.upload else { return }
    var batch = UploadBatch(
      file: client.ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion,
      entries: scan.entries)
    batch.hasNoEffect = number == clients.count - 1
    for outcome in try server.integrate([batch]) {
      if case .refused(let refusal) = outcome { throw refusal }
    }
  }

  func download(_ number: Int) throws {
    let client = clients[number]
    let scan = try server.scan(for: client.ident, from: try client.history.progress().download, byteLimit: .max)
    try client.history.integrate(scan.entries, progress: scan.progress)
  }

  mutating func settle() throws {
    for number in clients.indices {
      try download(number)
      try upload(number)
    }
  }
}
