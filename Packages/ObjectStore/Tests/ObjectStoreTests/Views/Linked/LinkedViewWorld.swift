import ChangesetOT
import DataModel
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// A random world of linked objects: clients with views that follow links and with views that do not, clients with
/// everything, queries with every clause that change, offline periods, restarts and trims. At quiet points every file is
/// compared with an evaluation of the server's state that shares nothing with the server's.
struct LinkedViewWorld {
  /// The first difference.
  private(set) var complaint: String?
  private(set) var log: [String] = []
  private var network: ViewNetwork
  private var random: SeededGenerator
  private var realm = LinkedRealm()
  /// The queries that each client asks for; nil for clients with everything.
  private var selections: [[ViewSelection]?] = []

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed &+ 0x11_4E)
    network = try ViewNetwork(LinkedRealm.schema, seed: seed)
    for _ in 0..<25 { try network.file.commit(realm.edit(network.file.dump(), &random), at: OriginTimestamp(0)) }
    for _ in 0..<Int.random(in: 2...4, using: &random) { try addClient(isFull: false) }
    try addClient(isFull: true)
  }

  private mutating func addClient(isFull: Bool) throws {
    let selections = isFull ? nil : LinkedRealm.selections(&random)
    let followsLinks = random.oneIn(2)
    let access = random.oneIn(4) || isFull ? nil : ViewAccess(user: "ann", followsLinks: followsLinks)
    let number = try network.add(queries: selections.map(ViewSelection.json), access: access)
    log.append("client \(number) \(selections.map(ViewSelection.json) ?? "everything") links \(followsLinks)")
    self.selections.append(selections)
  }

  mutating func run(steps: Int) throws {
    for step in 0..<steps where complaint == nil {
      try perform()
      if step % 20 == 19 { try compare() }
    }
  }

  mutating func fail(_ error: any Error) { complaint = complaint ?? "\(error)" }

  private mutating func perform() throws {
    let number = Int.random(in: 0..<network.clients.count, using: &random)
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<9: try upload(number)
    case 9..<16:
      log.append("download \(number)")
      try network.download(number, byteLimit: random.oneIn(2) ? 1 : .max)
    case 16..<19:
      guard selections[number] != nil else { return }
      let selected = LinkedRealm.selections(&random)
      log.append("subscribe \(number) \(ViewSelection.json(selected))")
      selections[number] = selected
      try network.subscribe(number, ViewSelection.json(selected))
    case 19:
      log.append("restart")
      try network.restart()
    case 20:
      log.append("trim")
      try network.server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(0))
    case 21: if network.clients.count < 6 { try addClient(isFull: false) }
    case 22: try network.disconnect(number)
    case 23: try check(number)
    default: try edit(number)
    }
  }

  private mutating func upload(_ number: Int) throws {
    log.append("upload \(number)")
    // A session has had a scan before it uploads.
    try network.download(number, byteLimit: random.oneIn(3) ? 1 : .max)
    let refused = network.clients[number].refusals.count
    let before = try network.file.dump()
    let firsts = try network.firstWrites(number)
    try network.upload(number, limit: Int.random(in: 1...4, using: &random))
    let after = try network.file.dump()
    for write in network.clients[number].refusals[refused...] {
      log.append("refused \(write.object) \(write.reason)")
      let (name, key) = (write.object.className, write.object.key)
      guard firsts[write.object] == write.clientVersion, before.objects[name]?[key] != after.objects[name]?[key] else {
        continue
      }
      complaint = "a refused write reached the server: \(write)"
    }
  }

  private mutating func edit(_ number: Int) throws {
    var instructions: [Instruction] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let more = realm.edit(try network.dump(number), &random)
      // Each edit is made of the file as it is, so that one transaction has at most one of an object.
      let objects = Set(instructions.compactMap(\.object))
      if more.allSatisfy({ $0.object.map { !objects.contains($0) } ?? true }) { instructions += more }
    }
    let time = UInt64.random(in: 0..<100, using: &random) + (random.oneIn(5) ? 100_000_000_000 : 0)
    log.append("edit \(number) at \(time): " + instructions.map { "\($0)" }.joined(separator: "; "))
    try network.write(number, instructions, at: time)
  }

  // MARK: Comparing

  /// A client that has nothing to upload holds what it is to hold after each of its scans.
  private mutating func check(_ number: Int) throws {
    guard selections[number] != nil, let known = try network.server.clientFile(network.clients[number].ident),
      try network.clients[number].history.uploadableEntries(after: known.upload).entries.isEmpty
    else { return }
    log.append("check \(number)")
    try network.downloadAll(number)
    try compare(number, try ViewReference(network.file))
  }

  private mutating func compare() throws {
    log.append("settle")
    try network.settle()
    let reference = try ViewReference(network.file)
    for number in network.clients.indices where complaint == nil { try compare(number, reference) }
    if let books = try LinkBooks(network.file).complaint { complaint = "server: \(books)" }
  }

  private mutating func compare(_ number: Int, _ reference: ViewReference) throws {
    let client = network.clients[number]
    let dump = try network.dump(number)
    let expected = try selections[number].map {
      reference.expected(try reference.held($0, followsLinks: client.access?.followsLinks ?? false))
    }
    if dump != expected ?? reference.dump {
      complaint = """
        client \(number) (\(client.ident.rawValue)) with \(client.wanted?.json ?? "everything"), \
        links \(client.access?.followsLinks ?? false)
        \(StateDump.difference(dump, expected ?? reference.dump))
        --- server
        \(reference.dump)
        """
    }
    if let books = try LinkBooks(client.history.file).complaint { complaint = "client \(number): \(books)" }
    try client.history.file.store.verify()
  }
}

extension StateDump {
  /// The lines that are in one of two dumps only.
  static func difference(_ found: StateDump, _ expected: StateDump) -> String {
    let (found, expected) = (Set("\(found)".split(separator: "\n")), Set("\(expected)".split(separator: "\n")))
    return
      (found.subtracting(expected).sorted().map { "has   \($0)" }
      + expected.subtracting(found).sorted().map { "lacks \($0)" }).joined(separator: "\n")
  }
}
