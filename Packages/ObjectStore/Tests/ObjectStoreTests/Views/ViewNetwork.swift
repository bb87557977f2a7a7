import ChangesetOT
import DataModel
import StorageEngine
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// A server's history in memory, clients with views of it, and clients that have everything.
///
/// A client with a view does what a session does: it hands its uploads in under the newest set that it asked for, and asks
/// for a bootstrap when it holds another one. A part of a bootstrap is put aside until its end.
struct ViewNetwork {
  /// A client file and its subscriptions.
  struct Client {
    let ident: FileIdent
    let history: ClientHistory
    /// The set that the file holds.
    var held = QuerySet()
    /// The set that it asks for; nil for a client without a view.
    var wanted: QuerySet?
    /// The version of the newest set that it ever asked for.
    var newest = QueryVersion(1)
    /// The user; nil when no roles are applied.
    var access: ViewAccess?
    /// Whether it knows nothing of the classes of permissions.
    var isOfApp = false
    /// The state of an unfinished bootstrap.
    var bootstrapEntries: [DownloadEntry] = []
    /// Where the next scan goes on; nil for the cursor of the file.
    var cursor: DownloadCursor?
    /// Writes that were refused, in the order of their uploads.
    var refusals: [RefusedWrite] = []
  }

  let file: RealmFile
  private(set) var server: ServerHistory
  var clients: [Client] = []
  /// Is shown what each client with a view is sent.
  var watch: ((_ client: Int, _ entries: [DownloadEntry]) throws -> Void)?
  private var random: SeededGenerator

  /// - Parameter clock: the time of the server.
  init(_ base: [Instruction], seed: UInt64 = 1, clock: UInt64 = 1) throws {
    random = SeededGenerator(seed: seed)
    file = try memoryFile(clock: clock)
    server = try ServerHistory(file, random: &random)
    if !base.isEmpty { try server.file.commit(base, at: OriginTimestamp(0)) }
  }

  /// A new client; its number.
  mutating func add(queries: String?, access: ViewAccess? = nil) throws -> Int {
    let ident = try server.allocateClientFile(random: &random)
    let client = ClientHistory(try memoryFile(recordsChangesets: true))
    try client.storeFileIdent(ident)
    clients.append(
      Client(
        ident: ident.ident, history: client, wanted: queries.map { QuerySet(version: QueryVersion(1), json: $0) },
        access: access))
    return clients.count - 1
  }

  /// Another server process opens the file: what it had in memory is gone, and sessions begin anew.
  mutating func restart() throws {
    server = try ServerHistory(file, random: &random, isNew: false)
    for number in clients.indices { try disconnect(number) }
  }

  /// A session ends: what came of an unfinished bootstrap is lost.
  mutating func disconnect(_ number: Int) throws {
    clients[number].bootstrapEntries = []
    clients[number].cursor = nil
    try server.forgetView(of: clients[number].ident)
  }

  /// Asks for another set.
  mutating func subscribe(_ number: Int, _ json: String) throws {
    let version = QueryVersion(clients[number].newest.rawValue + 1)
    try disconnect(number)
    clients[number].newest = version
    clients[number].wanted = QuerySet(version: version, json: json)
  }

  /// The set that a client asked for was refused: it goes on with the one that it holds.
  mutating func withdraw(_ number: Int) throws {
    try disconnect(number)
    clients[number].wanted = clients[number].held
  }

  /// Writes what a client's application wrote.
  func write(_ number: Int, _ instructions: [Instruction], at time: UInt64 = 1) throws {
    try clients[number].history.file.commit(instructions, at: OriginTimestamp(time))
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
    let batch = UploadBatch(
      file: client.ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion,
      entries: scan.entries, queries: client.wanted, access: client.access)
    for outcome in try server.integrate([batch]) {
      switch outcome {
      case .integrated: break
      case .undone(let undone): clients[number].refusals += undone.refusals
      case .refused(let refusal): throw refusal
      }
    }
  }

  /// One scan, as one message.
  ///
  /// - Returns: whether there may be more.
  @discardableResult
  mutating func download(_ number: Int, byteLimit: Int = .max) throws -> Bool {
    let client = clients[number]
    let stored = try client.history.progress().download
    guard let wanted = client.wanted else {
      let scan = try server.scan(for: client.ident, from: stored, byteLimit: byteLimit)
      try client.history.integrate(scan.entries, progress: scan.progress)
      return !scan.reachedEnd
    }
    var scan = try server.viewScan(
      for: client.ident, from: client.cursor ?? stored, view: ViewRequest(held: client.held, wanted: wanted),
      access: client.access, byteLimit: byteLimit)
    if client.isOfApp { scan = try server.withholdPermissions(from: scan) }
    try watch?(number, scan.entries)
    switch scan.batch?.state {
    case .moreToCome:
      clients[number].bootstrapEntries += scan.entries
      clients[number].cursor = scan.progress.download
      return true
    case .last:
      let entries = clients[number].bootstrapEntries + scan.entries
      try client.history.integrate(entries, progress: scan.progress)
      clients[number].bootstrapEntries = []
      clients[number].cursor = nil
      clients[number].held = wanted
    case .steady, nil: try client.history.integrate(scan.entries, progress: scan.progress)
    }
    return !scan.reachedEnd || clients[number].held != wanted
  }

  /// Scans until there is nothing more.
  mutating func downloadAll(_ number: Int, byteLimit: Int = .max) throws {
    while try download(number, byteLimit: byteLimit) {}
  }

  /// Everybody uploads and downloads until everybody has everything.
  mutating func settle() throws {
    for _ in 0..<3 {
      for number in clients.indices {
        try downloadAll(number)
        try upload(number)
      }
    }
    for number in clients.indices { try downloadAll(number) }
  }

  /// The objects of a class that a client's file has.
  func keys(_ number: Int, _ className: String) throws -> [Int64] {
    let objects = try clients[number].history.file.dump().objects[className] ?? [:]
    return objects.keys.compactMap { if case .int(let key) = $0 { key } else { nil } }.sorted()
  }

  /// Every object that a client's file has.
  func dump(_ number: Int) throws -> StateDump { try clients[number].history.file.dump() }

  /// The part of the server's state that predicates select; classes without a predicate have none.
  func expected(_ selects: [String: ([String: StateDump.Item]) -> Bool]) throws -> StateDump {
    var dump = try server.file.dump()
    for (name, objects) in dump.objects {
      dump.objects[name] = objects.filter { selects[name]?($0.value) ?? false }
    }
    return dump
  }
}
