import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Synchronization
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("states instead of pasts")
struct BootstrapTests {
  private let far = OriginTimestamp(1 << 40)

  /// A server with a past of many transactions, whose only client has acknowledged all of it.
  private func server(_ seed: UInt64, transactions: Int = 30) throws -> (StoreNetwork, ModelState) {
    let network = try StoreNetwork(base: ModelState.sample().instructions, clients: 1, seed: seed)
    var state = ModelState.sample()
    var generator = EditGenerator(seed: seed, author: FileIdent(2))
    for _ in 0..<transactions {
      try network.clients[FileIdent(2)]?.file.commit(try generator.transaction(on: &state, edits: 3))
    }
    for _ in 0..<2 {
      try network.upload(FileIdent(2))
      try network.download(FileIdent(2))
    }
    return (network, state)
  }

  private func newClient(_ server: ServerHistory, _ random: inout SeededGenerator) throws -> (FileIdent, ClientHistory)
  {
    let ident = try server.allocateClientFile(random: &random)
    let client = ClientHistory(try memoryFile(recordsChangesets: true))
    try client.storeFileIdent(ident)
    return (ident.ident, client)
  }

  /// Brings a client up with the state, piece by piece.
  private func bring(
    _ client: ClientHistory, _ ident: FileIdent, _ server: ServerHistory, pieceSize: Int, seed: UInt64,
    interruptions: inout SeededGenerator
  ) throws {
    var bootstrap = try server.bootstrap(of: ident, pieceSize: pieceSize)
    while try client.progress().download.server < bootstrap.version {
      let before = try client.progress()
      let scan = try bootstrap.scan(
        from: before.download, byteLimit: pieceSize * 2, latest: try server.state().current)
      var last = before.download.server
      for entry in scan.entries {
        #expect(entry.cursor.server > last, "SEED=\(seed)")
        #expect(entry.cursor.client == .zero, "SEED=\(seed)")
        #expect(entry.origin == .server, "SEED=\(seed)")
        last = entry.cursor.server
      }
      #expect(last <= scan.progress.download.server, "SEED=\(seed)")
      #expect(scan.progress.download.server <= scan.progress.latestServerVersion.version, "SEED=\(seed)")
      // A message that is lost on its way is asked for again.
      if interruptions.oneIn(4) { continue }
      try client.integrate(scan.entries, progress: scan.progress)
    }
    #expect(try server.clientFile(ident)?.bootstrap == bootstrap.version)
  }

  @Test("a new client that gets the state in pieces equals the server, and goes on with what comes after")
  func bootstrap() throws {
    for seed in Seeds.some(12) {
      var random = SeededGenerator(seed: seed)
      var (network, state) = try server(seed)
      let server = network.server
      let version = try server.state().current.version
      let trimming = try server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(0))
      #expect(trimming.base == version, "SEED=\(seed)")
      #expect(trimming.bytes > 0, "SEED=\(seed)")
      #expect(trimming.expired.isEmpty, "SEED=\(seed)")
      #expect(try server.historyBytes() == 0)
      let (ident, client) = try newClient(server, &random)
      #expect(throws: TrimmedHistoryError.self) { try server.scan(for: ident, from: .zero, byteLimit: 100) }
      let size = random.pick([(1, 60), (1, 400), (1, 100_000)])
      try bring(client, ident, server, pieceSize: size, seed: seed, interruptions: &random)
      network.clients[ident] = client
      #expect(try client.file.dump() == server.file.dump(), "SEED=\(seed)")
      var generator = EditGenerator(seed: seed &+ 1, author: FileIdent(2))
      for _ in 0..<5 {
        try network.clients[FileIdent(2)]?.file.commit(try generator.transaction(on: &state, edits: 3))
      }
      for _ in 0..<2 {
        for other in [FileIdent(2), ident] {
          try network.upload(other)
          try network.download(other)
        }
      }
      let dumps = try network.dumps
      #expect(dumps.allSatisfy { $0 == dumps[0] }, "SEED=\(seed)")
    }
  }

  @Test(
    "what a client made before it had the state is taken if it concerns its own objects, and else makes it reset itself"
  )
  func earlierChanges() throws {
    for isOwn in [true, false] {
      var random = SeededGenerator(seed: 5)
      let (network, _) = try server(5)
      let server = network.server
      _ = try server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(0))
      let (ident, client) = try newClient(server, &random)
      let readView = try server.file.latestReadView()
      let layout = try #require(readView.catalog.classes.first { $0.key?.type == .int && $0.kind == .topLevel })
      let rows = try readView.rows(layout)
      let taken = try readView.key(try #require(rows.first), layout)
      let object = ObjectReference(className: layout.name, key: isOwn ? .int(987_654) : taken)
      let declared = try #require(layout.declaredKey)
      try client.file.commit([
        .addTable(AddTable(table: layout.name, primaryKey: declared)), .createObject(CreateObject(object: object)),
      ])
      var never = SeededGenerator(seed: 0)
      try bring(client, ident, server, pieceSize: 1 << 20, seed: 5, interruptions: &never)
      let scan = try client.uploadableEntries(after: .zero)
      #expect(scan.entries.map(\.cursor.server) == [.zero])
      let outcome = try server.integrate([
        UploadBatch(
          file: ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion, entries: scan.entries)
      ])
      switch try #require(outcome.first) {
      case .integrated:
        #expect(isOwn)
        #expect(try client.file.dump() == server.file.dump())
      case .undone: Issue.record("it was to have an effect")
      case .refused(.madeBeforeState(let found)): #expect(!isOwn && found == object)
      case .refused(let refusal): Issue.record("\(refusal)")
      }
    }
  }

  @Test("history is kept for clients that were seen, and not for those that were not")
  func trimming() throws {
    var random = SeededGenerator(seed: 3)
    var (network, state) = try server(3)
    let server = network.server
    let base = try server.state().current.version
    let (late, client) = try newClient(server, &random)
    network.clients[late] = client
    // It has nothing, and may be about to ask: everything stays for a day, and then nothing.
    #expect(try server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(1)).base == .zero)
    #expect(try server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(2)).base == base)
    var never = SeededGenerator(seed: 0)
    try bring(client, late, server, pieceSize: 1 << 20, seed: 3, interruptions: &never)
    var generator = EditGenerator(seed: 4, author: FileIdent(2))
    try network.clients[FileIdent(2)]?.file.commit(try generator.transaction(on: &state, edits: 9))
    try network.upload(FileIdent(2))
    try network.download(FileIdent(2))
    try network.upload(FileIdent(2))
    #expect(try server.trim(notSeenSince: OriginTimestamp(0), grace: far).base == base)
    // Nobody waits for whom nobody has seen.
    let result = try server.trim(notSeenSince: far, grace: far)
    #expect(result.expired == [late])
    #expect(result.base == (try server.state().current.version))
    #expect(try server.clientFile(late)?.isExpired == true)
  }

  @Test("history is kept for whoever begins a first download; who builds on what is no longer kept must start anew")
  func firstDownload() throws {
    for isNoted in [true, false] {
      var random = SeededGenerator(seed: 3)
      let now = Mutex(UInt64(1))
      let options = RealmFile.Options(clock: { OriginTimestamp(now.withLock { $0 }) })
      let server = try ServerHistory(
        try RealmFile.open(.inMemory(name: "first download \(isNoted)"), options: options), random: &random)
      let (late, client) = try newClient(server, &random)
      let key = PrimaryKeyColumn(field: "_id", type: .int, isNullable: false)
      try server.file.commit([.addTable(AddTable(table: "Early", primaryKey: key))])
      try client.file.commit([.addTable(AddTable(table: "Late", primaryKey: key))])
      now.withLock { $0 = 2 }
      if isNoted { try server.noteFirstDownload(of: late) }
      let seen = try #require(try server.clientFile(late)).lastSeen
      #expect(seen == OriginTimestamp(isNoted ? 2 : 1))
      let base = try server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(2)).base
      #expect((base == .zero) == isNoted)
      let scan = try client.uploadableEntries(after: .zero)
      let outcome = try server.integrate([
        UploadBatch(file: late, progress: scan.progress, lockedServerVersion: .zero, entries: scan.entries)
      ])
      switch try #require(outcome.first) {
      case .integrated: #expect(isNoted)
      case .undone: Issue.record("it was to have an effect")
      case .refused(.historyTrimmed(let trimmed)): #expect(!isNoted && trimmed == base)
      case .refused(let refusal): Issue.record("\(refusal)")
      }
    }
  }

  @Test("each process has a salt of its own for the versions that it makes, and older ones stay known")
  func salts() throws {
    var random = SeededGenerator(seed: 1)
    let (network, _) = try server(1, transactions: 3)
    let file = network.server.file
    let first = try network.server.state().current
    #expect(try network.server.state(claim: first.version).saltOfClaim == first.salt)
    let next = try ServerHistory(file, random: &random, incarnation: 77)
    #expect(try next.state().current == first)
    let ident = try next.allocateClientFile(random: &random)
    let entry = UploadEntry(
      cursor: UploadCursor(client: ClientVersion(2), server: first.version), timestamp: OriginTimestamp(1),
      changeset: [])
    _ = try next.integrate([
      UploadBatch(file: ident.ident, progress: entry.cursor, lockedServerVersion: .zero, entries: [entry])
    ])
    #expect(try next.state().current.salt == 77)
    #expect(try next.state(claim: first.version).saltOfClaim == first.salt)
    #expect(try next.state(claim: ServerVersion(first.version.rawValue + 1)).saltOfClaim == 77)
    #expect(try next.state(claim: ServerVersion(first.version.rawValue + 2)).saltOfClaim == nil)
    #expect(try next.state(claim: .zero).saltOfClaim == 0)
  }
}
