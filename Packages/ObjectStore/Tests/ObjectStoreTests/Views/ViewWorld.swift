import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// A random world: clients with views whose queries change, clients with everything, offline periods, restarts of the
/// server, trimmed histories. At quiet points every file is compared with its queries evaluated from scratch.
struct ViewWorld {
  /// The first difference.
  var complaint: String?
  private var network: ViewNetwork
  private var random: SeededGenerator
  private var generators: [EditGenerator] = []
  /// The queries that each client asks for; nil for clients with everything.
  private var selections: [[String: ViewQuery]?] = []
  private let seed: UInt64
  private var fresh: Int64 = 0
  /// The steps so far.
  private(set) var log: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    random = SeededGenerator(seed: seed &+ 0xD06)
    network = try ViewNetwork(ModelState.sample().instructions + Self.schema, seed: seed)
    for _ in 0..<Int.random(in: 2...4, using: &random) { try addClient(isFull: false) }
    for _ in 0..<Int.random(in: 1...2, using: &random) { try addClient(isFull: true) }
  }

  /// Two classes beside that of the edit generator.
  private static let schema: [Instruction] = [
    .addTable(AddTable(table: "Dog", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addColumn(AddColumn(table: "Dog", field: "age", type: .int)),
    .addColumn(AddColumn(table: "Dog", field: "name", type: .string, isNullable: true)),
    .addColumn(AddColumn(table: "Dog", field: "tags", type: .string, collection: .list)),
    .addColumn(AddColumn(table: "Dog", field: "friend", type: .link, isNullable: true, linkTarget: "Dog")),
    .addTable(AddTable(table: "Cat", primaryKey: PrimaryKeyColumn(field: "id", type: .string))),
    .addColumn(AddColumn(table: "Cat", field: "age", type: .int)),
    .addColumn(AddColumn(table: "Cat", field: "name", type: .string, isNullable: true)),
    .addColumn(AddColumn(table: "Cat", field: "tags", type: .string, collection: .list)),
    .addColumn(AddColumn(table: "Cat", field: "friend", type: .link, isNullable: true, linkTarget: "Dog")),
  ]

  private mutating func addClient(isFull: Bool) throws {
    let selection = isFull ? nil : ViewQuery.randomSet(&random)
    let number = try network.add(queries: selection.map(ViewQuery.json))
    selections.append(selection)
    var weights = EditGenerator.Weights.forNetworks
    weights.schema = 0
    weights.objects = 6
    weights.fields = 16
    generators.append(EditGenerator(seed: seed, author: network.clients[number].ident, weights: weights))
  }

  mutating func run(steps: Int) throws {
    for step in 0..<steps {
      guard complaint == nil else { return }
      try perform()
      if step % 25 == 24 { try compare() }
    }
  }

  private mutating func perform() throws {
    let number = Int.random(in: 0..<network.clients.count, using: &random)
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<8: try upload(number)
    case 8..<14:
      log.append("download \(number)")
      _ = try network.download(number, byteLimit: random.oneIn(2) ? 1 : .max)
    case 14..<17:
      guard selections[number] != nil else { return }
      let selection = ViewQuery.randomSet(&random)
      log.append("subscribe \(number) \(ViewQuery.json(selection))")
      selections[number] = selection
      try network.subscribe(number, ViewQuery.json(selection))
    case 17:
      log.append("restart")
      try network.restart()
    case 18:
      log.append("trim")
      try network.server.trim(notSeenSince: OriginTimestamp(0), grace: OriginTimestamp(0))
    case 19: if network.clients.count < 7 { try addClient(isFull: false) }
    case 20: try network.disconnect(number)
    default: try edit(number)
    }
  }

  private mutating func upload(_ number: Int) throws {
    log.append("upload \(number)")
    let refused = network.clients[number].refusals.count
    let before = try network.server.file.dump()
    // A session has had a scan before it uploads.
    _ = try network.download(number, byteLimit: random.oneIn(3) ? 1 : .max)
    let firsts = try network.firstWrites(number)
    try network.upload(number, limit: Int.random(in: 1...4, using: &random))
    let after = try network.server.file.dump()
    for write in network.clients[number].refusals[refused...] {
      log.append("refused \(write.object) \(write.reason)")
      let (name, key) = (write.object.className, write.object.key)
      guard firsts[write.object] == write.clientVersion, before.objects[name]?[key] != after.objects[name]?[key] else {
        continue
      }
      complaint = "a refused write reached the server: \(write)"
    }
  }

  // MARK: Edits

  private mutating func edit(_ number: Int) throws {
    let instructions = try random.oneIn(2) ? itemEdits(number) : petEdits(number)
    guard !instructions.isEmpty else { return }
    let time = UInt64.random(in: 0..<100, using: &random) + (random.oneIn(5) ? 100_000_000_000 : 0)
    log.append("edit \(number) at \(time): " + instructions.map { "\($0)" }.joined(separator: "; "))
    try network.write(number, instructions, at: time)
  }

  /// Edits of everything that a field can be.
  private mutating func itemEdits(_ number: Int) throws -> [Instruction] {
    var state = ModelState()
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .server)
    var synthesis = try StateSynthesis(network.clients[number].history.file)
    while let piece = try synthesis.next() { try state.apply(Changeset(decoding: piece, origin: origin)) }
    guard state.classes["Item"] != nil else { return [] }
    return try generators[number].transaction(on: &state, edits: Int.random(in: 1...3, using: &random))
  }

  /// Edits of objects that come, go, and change what queries ask for.
  private mutating func petEdits(_ number: Int) throws -> [Instruction] {
    let dump = try network.dump(number)
    let className = random.oneIn(2) ? "Dog" : "Cat"
    guard let objects = dump.objects[className] else { return [] }
    fresh += 1
    let draw = Int64.random(in: 1...6, using: &random)
    let key: ObjectKey = className == "Dog" ? .int(draw) : .string("c\(draw)")
    let object = ObjectReference(className: className, key: key)
    func set(_ field: String, _ payload: Payload) -> Instruction {
      .update(Update(target: Target(object: object, field: field), payload: payload))
    }
    func place(_ index: Int) -> Target {
      Target(object: object, field: "tags", path: [.index(UInt32(index))])
    }
    let age = set("age", .int(Int64.random(in: 0...9, using: &random)))
    guard let fields = objects[key] else {
      var made: [Instruction] = [.createObject(CreateObject(object: object))]
      if !random.oneIn(4) { made.append(age) }
      for index in 0..<Int.random(in: 0...2, using: &random) {
        made.append(
          .arrayInsert(
            ArrayInsert(target: place(index), payload: .string("\(fresh).\(index)"), priorSize: UInt32(index))))
      }
      return made
    }
    guard case .list(let tags)? = fields["tags"] else { return [] }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return [.eraseObject(EraseObject(object: object))]
    case 1..<4: return [age]
    case 4: return [set("name", random.oneIn(2) ? .null : .string(random.oneIn(2) ? "x\(fresh)" : "y\(fresh)"))]
    case 5: return [set("friend", .link(ObjectReference(className: "Dog", key: .int(draw % 6 + 1))))]
    case 6: return [.addInteger(AddInteger(target: Target(object: object, field: "age"), amount: 1))]
    case 7 where !tags.isEmpty:
      let index = Int.random(in: 0..<tags.count, using: &random)
      return [.arrayErase(ArrayErase(target: place(index), priorSize: UInt32(tags.count)))]
    default:
      let index = Int.random(in: 0...tags.count, using: &random)
      return [
        .arrayInsert(
          ArrayInsert(target: place(index), payload: .string("\(fresh)"), priorSize: UInt32(tags.count)))
      ]
    }
  }

  // MARK: Comparing

  private mutating func compare() throws {
    log.append("settle")
    try network.settle()
    for number in network.clients.indices where complaint == nil {
      let client = network.clients[number]
      let dump = try network.dump(number)
      var expected = try network.server.file.dump()
      if let selection = selections[number] {
        expected = try network.expected(selection.mapValues(\.selects))
      }
      if dump != expected {
        complaint = """
          client \(number) (\(client.ident.rawValue)) with \(client.wanted?.json ?? "everything") has
          \(dump)
          --- expected
          \(expected)
          """
      }
      if let books = try LinkBooks(client.history.file).complaint { complaint = "client \(number): \(books)" }
      try client.history.file.store.verify()
    }
    if let books = try LinkBooks(network.server.file).complaint { complaint = "server: \(books)" }
  }
}

extension ViewNetwork {
  /// The first changeset that writes each object, among those that a client is to upload next.
  func firstWrites(_ number: Int) throws -> [ObjectReference: ClientVersion] {
    let client = clients[number]
    guard let known = try server.clientFile(client.ident) else { return [:] }
    var firsts: [ObjectReference: ClientVersion] = [:]
    for entry in try client.history.uploadableEntries(after: known.upload).entries {
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: client.ident)
      for object in try Changeset(decoding: entry.changeset, origin: origin).instructions.compactMap(\.object)
      where firsts[object] == nil { firsts[object] = entry.cursor.client }
    }
    return firsts
  }
}
