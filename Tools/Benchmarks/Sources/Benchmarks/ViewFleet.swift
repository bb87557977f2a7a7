import ChangesetOT
import DataModel
import Foundation
import ObjectServer
import Permissions
import SyncProtocol
import TestKit

/// The files of one realm with tasks, as the server keeps them, and clients with queries of it, driven as the server's
/// sequencer does: one group commit, the audience, one scan for each client that is told. No sockets, no disk.
final class ViewFleet {
  /// A client file and where it stands.
  struct Client {
    let file: FileIdent
    /// Nil for a client that has everything.
    var set: QuerySet?
    var cursor = DownloadCursor.zero
    var version: UInt64 = 1
  }

  let store: any HistoryStore
  private(set) var clients: [Client] = []
  /// The clients by their files.
  private var numbers: [FileIdent: Int] = [:]
  private let author: Int
  /// The clients that do not read.
  private var stopped: Set<Int> = []
  private var tasks: Int64 = 0

  /// - Parameter tasks: objects in the realm.
  init(tasks: Int, owners: Int) throws {
    let name = "fleet \(UInt64.random(in: 0 ..< .max))"
    let stores = EmbeddedHistories(.memory(prefix: name), random: RandomSource(SeededGenerator(seed: 1)))
    store = try stores.open(RealmPath("/default"), isNew: true)
    author = 0
    _ = try add(nil)
    var made = 0
    var instructions = Self.schema
    while made < tasks {
      let end = min(tasks, made + 10_000)
      for number in made..<end { instructions += Self.task(Int64(number), owner: number % max(1, owners)) }
      try write([(author, instructions)])
      instructions = []
      made = end
    }
    self.tasks = Int64(tasks)
  }

  private static let schema: [Instruction] = [
    .addTable(AddTable(table: "Task", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addColumn(AddColumn(table: "Task", field: "owner", type: .string)),
    .addColumn(AddColumn(table: "Task", field: "project", type: .int)),
    .addColumn(AddColumn(table: "Task", field: "done", type: .bool)),
    .addColumn(AddColumn(table: "Task", field: "title", type: .string)),
    .addColumn(AddColumn(table: "Task", field: "views", type: .int)),
    .addTable(AddTable(table: "Note", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addColumn(AddColumn(table: "Note", field: "owner", type: .string)),
    .addColumn(AddColumn(table: "Note", field: "project", type: .int)),
    .addTable(AddTable(table: "Member", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addColumn(AddColumn(table: "Member", field: "owner", type: .string)),
    .addColumn(AddColumn(table: "Member", field: "age", type: .int)),
  ]

  static func reference(_ key: Int64) -> ObjectReference { ObjectReference(className: "Task", key: .int(key)) }

  static func set(_ key: Int64, _ field: String, _ payload: Payload) -> Instruction {
    .update(Update(target: Target(object: reference(key), field: field), payload: payload))
  }

  static func task(_ key: Int64, owner: Int) -> [Instruction] {
    [
      .createObject(CreateObject(object: reference(key))), set(key, "owner", .string("user \(owner)")),
      set(key, "project", .int(key % 20)), set(key, "title", .string("the title of task \(key)")),
    ]
  }

  /// Adds a client; one with queries is brought to the end of the history.
  @discardableResult
  func add(_ json: String?) throws -> Int {
    let number = clients.count
    let file = try store.allocateClientFile().ident
    clients.append(Client(file: file, set: json.map { QuerySet(version: QueryVersion(1), json: $0) }))
    numbers[file] = number
    if json != nil { try bootstrap(number) }
    return number
  }

  private func bootstrap(_ number: Int) throws {
    guard let set = clients[number].set else { return }
    var request = request(number)
    request.view = ViewRequest(held: QuerySet(), wanted: set)
    while true {
      let scan = try store.scan(request)
      request.from = scan.progress.download
      request.continuesBootstrap = true
      clients[number].cursor = scan.progress.download
      if scan.batch?.state != .moreToCome { break }
    }
    _ = try scan(number)
  }

  private func request(_ number: Int) -> DownloadScanRequest {
    let client = clients[number]
    return DownloadScanRequest(
      file: client.file, from: client.cursor, byteBudget: 1 << 20,
      view: client.set.map { ViewRequest(held: $0, wanted: $0) })
  }

  /// A scan from where the client stands.
  func scan(_ number: Int) throws -> DownloadScan {
    let scan = try store.scan(request(number))
    clients[number].cursor = scan.progress.download
    return scan
  }

  /// One group commit, and what follows from it: the audience's and the authors' downloads, encoded.
  ///
  /// - Returns: the number of clients with queries that were told.
  @discardableResult
  func write(_ writes: [(author: Int, instructions: [Instruction])]) throws -> Int {
    try commit(writes)
    return try tell(Set(writes.map(\.author)))
  }

  /// One group commit without what follows.
  func commit(_ writes: [(author: Int, instructions: [Instruction])]) throws {
    let batches = writes.map { author, instructions in
      clients[author].version += 1
      let client = clients[author]
      let cursor = UploadCursor(client: ClientVersion(client.version), server: client.cursor.server)
      let origin = ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
      let entry = UploadEntry(
        cursor: cursor, timestamp: OriginTimestamp(unixMilliseconds: 1_800_000_000_000),
        changeset: Changeset(instructions: instructions, origin: origin).encoded())
      return UploadBatch(
        file: client.file, progress: cursor, lockedServerVersion: client.cursor.server, entries: [entry],
        queries: client.set)
    }
    for failure in try store.integrate(batches) {
      if let failure { throw BenchmarkFailure("an upload was refused: \(failure)") }
    }
  }

  /// The scans and messages after commits.
  private func tell(_ authors: Set<Int>) throws -> Int {
    var readers = authors
    switch try store.takeViewAudience() {
    case .everyone: readers.formUnion(clients.indices.filter { clients[$0].set != nil })
    case .files(let files): readers.formUnion(files.compactMap { numbers[$0] })
    }
    readers.subtract(stopped)
    var bytes = 0
    for number in readers {
      let scan = try scan(number)
      let message = DownloadMessage(
        session: SessionIdent(1), progress: scan.progress, batch: scan.batch, entries: scan.entries)
      bytes += ServerMessage.download(message).encoded(for: Self.dialect, compressing: false).count
    }
    consume(bytes)
    return readers.subtracting(authors).count
  }

  /// Lets a client read nothing any more.
  func stop(_ number: Int) { stopped.insert(number) }

  /// Resident bytes that the store holds to know what concerns its clients.
  func watchBytes() throws -> Double {
    releaseFreeMemory()
    let full = try memoryBytes("VmRSS:", of: getpid())
    // Handed over and dropped.
    _ = try store.suspendViews()
    releaseFreeMemory()
    return full - (try memoryBytes("VmRSS:", of: getpid()))
  }

  private static let dialect: Dialect = {
    var dialect = Dialect()
    dialect.flavour = .flexible
    return dialect
  }()

  /// A write by the author that has everything to some field that is not the owner.
  func touch(_ key: Int64, _ round: Int) -> (author: Int, instructions: [Instruction]) {
    (author, [Self.set(key, "title", .string("title \(round) of task \(key)"))])
  }
}
