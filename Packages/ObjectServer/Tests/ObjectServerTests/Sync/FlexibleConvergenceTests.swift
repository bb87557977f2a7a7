import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import Foundation
@testable import ObjectServer
import ServerClusterTestSupport
import SyncProtocol
import TestKit
import Testing
import Transport

/// Random clients with queries beside one of full sync: after every step each file holds what its queries select.
@Suite("clients of flexible sync in random worlds")
struct FlexibleConvergenceTests {
  @Test("hold what their queries select, whatever is written, asked for, lost and restarted", arguments: Seeds.some(12))
  func law(seed: UInt64) throws {
    let world = try FlexibleWorld(seed: seed)
    defer { world.end() }
    for step in 0..<50 {
      try world.step()
      for number in world.readers {
        #expect(
          world.contents(of: world.clients[number]) == world.selected(number),
          "SEED=\(seed), step \(step), client \(number)")
      }
    }
    #expect(world.warnings == world.refusals, "SEED=\(seed): every refused write is told once")
  }

  @Test("miss something when the store names nobody whom a commit concerns")
  func silence() throws {
    let world = try FlexibleWorld(seed: 1, namesNobody: true)
    defer { world.end() }
    var misses = 0
    for _ in 0..<30 {
      try world.step()
      misses += world.readers.count { world.contents(of: world.clients[$0]) != world.selected($0) }
    }
    #expect(misses > 0)
  }
}

/// A server with files, clients of which several have the same queries, and the truth as the test predicts it.
private final class FlexibleWorld {
  private let folder = NSTemporaryDirectory() + "openrealm-flexible-" + UUID().uuidString
  private let stage: Stage
  private let token: String
  private var random: SeededGenerator
  private(set) var clients: [FlexibleClient] = []
  /// The lowest age that each client's query selects; nil without a query.
  private var limits: [Int64?] = []
  /// The clients that are not connected, and those that do not read.
  private var away: Set<Int> = []
  private var stopped: Set<Int> = []
  /// The ages of all people on the server.
  private var truth: [Int64: Int64] = [:]
  private(set) var refusals = 0

  init(seed: UInt64, namesNobody: Bool = false) throws {
    random = SeededGenerator(seed: seed)
    let source = RandomSource(SeededGenerator(seed: seed))
    let histories = try TestStorage.histories(
      .folder(folder), random: source, isDurable: false,
      retention: RetentionPolicy(bootstrapMessageBytes: [1, 1 << 20].randomElement(using: &random) ?? 1))
    stage = try Stage(seed: seed, histories: ObservedHistories(histories, namesNobody: namesNobody)) {
      $0.congestionBytes = 0
      $0.slowReaderTimeout = .seconds(86_400)
    }
    token = try stage.user("ann").token
    limits = Array(repeating: nil, count: 6)
    for number in limits.indices {
      clients.append(
        try FlexibleClient(
          stage, token, version: UInt16.random(in: 8...14, using: &random), host: "client \(number)"))
      try clients[number].write(FlexiblePeople.schema)
    }
    for client in clients { try client.settle() }
    for number in clients.indices { try subscribe(number) }
  }

  func end() { try? FileManager.default.removeItem(atPath: folder) }

  var warnings: Int { clients.reduce(0) { $0 + $1.failures.count } }

  func contents(of client: FlexibleClient) -> [Int64: Int64] {
    var contents: [Int64: Int64] = [:]
    for (key, value) in client.values("Person", "age") {
      if case (.int(let key), .scalar(.int(let age))) = (key, value) { contents[key] = age }
    }
    return contents
  }

  func selected(_ number: Int) -> [Int64: Int64] {
    guard let limit = limits[number] else { return [:] }
    return truth.filter { $0.value >= limit }
  }

  /// The clients that hold what they are to hold.
  var readers: [Int] { clients.indices.filter { !away.contains($0) && !stopped.contains($0) } }

  func step() throws {
    guard let number = readers.randomElement(using: &random) else { return try comeBack() }
    switch Int.random(in: 0..<14, using: &random) {
    case 0...4: try write(number)
    case 5...6: for number in readers where random.oneIn(2) { try write(number, isSettled: false) }
    case 7...8: try subscribe(number)
    case 9:
      away.insert(number)
      clients[number].wire.connection?.abort()
      stage.run()
    case 10:
      stopped.insert(number)
      clients[number].wire.connection?.pauseReading()
    case 11...12: try comeBack()
    default:
      stage.crashAndRestart()
      stopped = []
      for (number, client) in clients.enumerated() where !away.contains(number) {
        try client.connect(host: "client \(number)")
      }
    }
    for number in readers { try clients[number].settle() }
  }

  /// Few different sets, so that several clients have the same.
  private func subscribe(_ number: Int) throws {
    let limit = random.oneIn(5) ? nil : [2, 5, 8].randomElement(using: &random).map(Int64.init)
    limits[number] = limit
    try clients[number].subscribe(limit.map { #"{"Person":"(age >= \#($0))"}"# } ?? "{}")
  }

  private func comeBack() throws {
    for number in stopped { clients[number].wire.connection?.resumeReading() }
    stopped = []
    let returning = away.sorted()
    away = []
    for number in returning { try clients[number].connect(host: "client \(number)") }
  }

  /// An object that the client has is changed or erased, or a new one is made, within its query or outside of it.
  private func write(_ number: Int, isSettled: Bool = true) throws {
    let client = clients[number]
    // One writer for each object: the clients do not merge.
    let known = contents(of: client).keys.filter { isSettled || $0 % Int64(clients.count) == Int64(number) }.sorted()
    let age = Int64.random(in: 0...9, using: &random)
    func isSelected(_ age: Int64) -> Bool { limits[number].map { age >= $0 } ?? false }
    if let key = known.randomElement(using: &random), !random.oneIn(3) {
      if random.oneIn(4) {
        truth[key] = nil
        return try client.write(
          [.eraseObject(EraseObject(object: FlexiblePeople.reference(key)))], settles: isSettled)
      }
      truth[key] = age
      return try client.write([FlexiblePeople.setAge(key, age)], settles: isSettled)
    }
    let key = Int64.random(in: 1...1_000_000, using: &random)
    if isSelected(age) { truth[key] = age } else { refusals += 1 }
    try client.write(FlexiblePeople.person(key, age: age), settles: isSettled)
  }
}
