import ChangesetOT
import DataModel
import Permissions
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// A random realm with users, roles and lists: devices of several users with views, writes of every kind, allowed and not,
/// offline periods, restarts, trims, tokens and roles that change.
///
/// At quiet points every file holds what the reference monitor says. An upload of a client that has seen everything has
/// the effect that the monitor says, instruction by instruction. No client is ever sent a text that its user could not read.
struct RoleWorld {
  var complaint: String?
  var log: [String] = []
  var network: ViewNetwork
  var random: SeededGenerator
  let ledger = SecretLedger()
  /// The queries of each client; nil for the one with everything.
  var selections: [[ViewSelection]?] = []
  /// The queries of the set that each client's file holds.
  private var heldSelections: [[ViewSelection]?] = []
  private var edits: [RoleEdits] = []
  /// The state that was noted last: a copy of the server's file that takes its versions one after another.
  private let noted: RealmFile
  private var notedVersion: ServerVersion

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed &+ 0xAC1)
    network = try ViewNetwork([], seed: seed)
    try network.file.edit { editor in
      try editor.openPermissions()
      for user in RoleRealm.users + ["root"] { try editor.connect(UserId(user)) }
    }
    try network.file.commit(RoleRealm.schema, at: OriginTimestamp(0))
    try network.file.edit { try $0.openPermissions(ofClasses: RoleRealm.classes) }
    noted = try network.file.copy()
    notedVersion = try network.server.currentVersion()
    for _ in 0..<Int.random(in: 0...8, using: &random) { try script() }
    network.watch = { [ledger] client, entries in try ledger.inspect(client, entries) }
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      let user = random.one(of: RoleRealm.users + ["ann", "root"])
      try addClient(
        ViewAccess(
          user: user, isAdministrator: user == "root", tokenBound: random.oneIn(4) ? token() : 0x7f,
          followsLinks: !random.oneIn(4)))
    }
    try addClient(nil)
    ledger.note(try RoleFacts(network.file))
  }

  private mutating func token() -> UInt8 {
    random.one(of: [0x11, 0x37, 0x7f, UInt8.random(in: 0...0x7f, using: &random)])
  }

  private mutating func addClient(_ access: ViewAccess?) throws {
    let selections = access == nil ? nil : RoleRealm.selections(&random)
    let number = try network.add(queries: selections.map(ViewSelection.json), access: access)
    log.append("client \(number) \(access.map { "\($0)" } ?? "everything") \(selections.map(ViewSelection.json) ?? "")")
    self.selections.append(selections)
    heldSelections.append(nil)
    edits.append(RoleEdits(network.clients[number].ident))
    ledger.accesses[number] = [access]
  }

  mutating func fail(_ error: any Error) { complaint = complaint ?? "\(error)" }

  mutating func run(steps: Int) throws {
    for step in 0..<steps where complaint == nil {
      try perform()
      complaint = complaint ?? ledger.complaint
      if complaint == nil, step % 15 == 14 { try compare() }
    }
  }

  /// Notes every state of the server that was not noted yet, those between the changesets of an upload included.
  mutating func noteState() throws {
    let current = try network.server.currentVersion()
    while notedVersion < current {
      let range = Int64(notedVersion.rawValue) + 1...Int64(current.rawValue)
      for entry in try network.server.logged(in: range, byteLimit: .max) {
        notedVersion = ServerVersion(notedVersion.rawValue + 1)
        if entry.isPrivate || entry.changeset.isEmpty { continue }
        try noted.commit(try Changeset(decoding: entry.changeset, origin: entry.author).instructions)
        ledger.note(try RoleFacts(noted))
      }
    }
    if try noted.dump() != network.file.dump() { complaint = complaint ?? "the history does not lead to the state" }
  }

  private mutating func perform() throws {
    let number = Int.random(in: 0..<network.clients.count, using: &random)
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<14: try strictUpload(number)
    case 14..<18:
      log.append("upload \(number)")
      _ = try download(number, byteLimit: random.oneIn(3) ? 1 : .max)
      try network.upload(number, limit: Int.random(in: 1...4, using: &random))
      try noteState()
    case 18..<23: try edit(number)
    case 23..<28:
      log.append("download \(number)")
      _ = try download(number, byteLimit: random.oneIn(2) ? 1 : .max)
    case 28, 29:
      guard selections[number] != nil else { return }
      let selected = RoleRealm.selections(&random)
      log.append("subscribe \(number) \(ViewSelection.json(selected))")
      selections[number] = selected
      try network.subscribe(number, ViewSelection.json(selected))
    case 30:
      log.append("restart")
      try network.restart()
    case 31:
      log.append("trim")
      try network.server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(0))
    case 32: try network.disconnect(number)
    case 33: try changeAccess(number)
    case 34: try random.oneIn(3) ? declare() : interlude()
    default: try script()
    }
  }

  // MARK: Reading

  mutating func downloadAll(_ number: Int) throws { while try download(number) {} }

  /// One scan. Queries that tell about what may not be read are refused, and no others.
  private mutating func download(_ number: Int, byteLimit: Int = .max) throws -> Bool {
    let client = network.clients[number]
    guard let wanted = client.wanted, wanted.version != client.held.version else {
      return try network.download(number, byteLimit: byteLimit)
    }
    let facts = try RoleFacts(noted)
    let forbidden = try ViewReference(noted.latestReadView(), dump: facts.dump).forbidden(
      selections[number] ?? [], followsLinks: client.access?.followsLinks ?? false, facts.rights(client.access))
    // The changes that undo its writes come under the set that a client has, before a bootstrap begins.
    let cursor = try client.history.progress().download.server
    let isOwed = try client.cursor == nil && network.server.isOwedUndoing(client.ident, after: cursor)
    do {
      let hasMore = try network.download(number, byteLimit: byteLimit)
      let hasSet = network.clients[number].held.version == wanted.version
      let isServed = hasSet || network.clients[number].cursor != nil
      if isServed == isOwed {
        complaint = complaint ?? "client \(number) was to be sent what undoes its writes: \(isOwed)"
      }
      if isServed, client.cursor == nil, !forbidden.isEmpty {
        complaint = complaint ?? "client \(number) was served queries over \(forbidden)"
      }
      if hasSet { heldSelections[number] = selections[number] }
      return hasMore
    } catch let refusal as QueryRefusal where !forbidden.isEmpty {
      log.append("refused \(number) \(refusal.message)")
      if let held = heldSelections[number] {
        selections[number] = held
        try network.withdraw(number)
      } else {
        selections[number] = []
        try network.subscribe(number, "{}")
      }
      return true
    }
  }

  /// The user of a device logs in again, with more or with less.
  private mutating func changeAccess(_ number: Int) throws {
    guard var access = network.clients[number].access else { return }
    access.tokenBound = token()
    log.append("token \(number) \(access.tokenBound)")
    try network.disconnect(number)
    network.clients[number].access = access
    ledger.accesses[number, default: []].insert(access)
    try noteState()
    ledger.note(try RoleFacts(network.file))
  }

  // MARK: Writes

  mutating func edit(_ number: Int) throws {
    var instructions: [Instruction] = []
    let ledger = ledger
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let more = edits[number].edit(try network.dump(number), &random) { ledger.secret(by: number) }
      // Each edit is made of the file as it is, so that one transaction has at most one of an object.
      let objects = Set(instructions.compactMap(\.object))
      if more.allSatisfy({ $0.object.map { !objects.contains($0) } ?? true }) { instructions += more }
    }
    guard !instructions.isEmpty else { return }
    let time = UInt64.random(in: 0..<100, using: &random)
    log.append("edit \(number) at \(time): " + instructions.map { "\($0)" }.joined(separator: "; "))
    ledger.note(instructions, by: number)
    try network.write(number, instructions, at: time)
  }
}

extension ServerHistory {
  /// The newest version.
  fileprivate func currentVersion() throws -> ServerVersion {
    guard let state = try ServerState(in: file.store.latestSnapshot()) else { throw ServerHistory.unprepared }
    return state.current
  }
}
