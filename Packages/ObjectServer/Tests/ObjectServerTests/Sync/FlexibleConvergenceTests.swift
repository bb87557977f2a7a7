import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import Foundation
@testable import ObjectServer
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
    for step in 0..<40 {
      try world.step()
      for (number, client) in world.clients.enumerated() {
        #expect(world.contents(of: client) == world.selected(number), "SEED=\(seed), step \(step), client \(number)")
      }
    }
    #expect(world.warnings == world.refusals, "SEED=\(seed): every refused write is told once")
  }
}

/// A server with files, three clients with queries, and the truth as the test predicts it.
private final class FlexibleWorld {
  private let folder = NSTemporaryDirectory() + "openrealm-flexible-" + UUID().uuidString
  private let stage: Stage
  private let token: String
  private var random: SeededGenerator
  private(set) var clients: [FlexibleClient] = []
  /// The lowest age that each client's query selects; nil without a query.
  private var limits: [Int64?] = [nil, nil, nil]
  /// The ages of all people on the server.
  private var truth: [Int64: Int64] = [:]
  private(set) var refusals = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    let source = RandomSource(SeededGenerator(seed: seed))
    stage = try Stage(
      seed: seed,
      histories: EmbeddedHistories(
        .folder(folder), random: source, isDurable: false,
        retention: RetentionPolicy(bootstrapMessageBytes: [1, 1 << 20].randomElement(using: &random) ?? 1)))
    token = try stage.user("ann").token
    for number in 0..<3 {
      clients.append(
        try FlexibleClient(
          stage, token, version: UInt16.random(in: 8...14, using: &random), host: "client \(number)"))
      try clients[number].write(FlexiblePeople.schema)
    }
    for client in clients { try client.settle() }
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

  func step() throws {
    let number = Int.random(in: 0..<clients.count, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...5: try write(number)
    case 6...7:
      let limit = random.oneIn(5) ? nil : Int64.random(in: 0...9, using: &random)
      limits[number] = limit
      try clients[number].subscribe(limit.map { #"{"Person":"(age >= \#($0))"}"# } ?? "{}")
    case 8:
      clients[number].wire.connection?.abort()
      stage.run()
      try clients[number].connect(host: "client \(number)")
    default:
      stage.crashAndRestart()
      for (number, client) in clients.enumerated() { try client.connect(host: "client \(number)") }
    }
    for client in clients { try client.settle() }
  }

  /// An object that the client has is changed or erased, or a new one is made, within its query or outside of it.
  private func write(_ number: Int) throws {
    let client = clients[number]
    let known = contents(of: client).keys.sorted()
    let age = Int64.random(in: 0...9, using: &random)
    func isSelected(_ age: Int64) -> Bool { limits[number].map { age >= $0 } ?? false }
    if let key = known.randomElement(using: &random), !random.oneIn(3) {
      if random.oneIn(4) {
        truth[key] = nil
        return try client.write([.eraseObject(EraseObject(object: FlexiblePeople.reference(key)))])
      }
      truth[key] = age
      return try client.write([FlexiblePeople.setAge(key, age)])
    }
    let key = Int64.random(in: 1...1_000_000, using: &random)
    if isSelected(age) { truth[key] = age } else { refusals += 1 }
    try client.write(FlexiblePeople.person(key, age: age))
  }
}
