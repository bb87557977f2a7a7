import ByteCoding
import ChangesetOTTestSupport
import DataModel
import Foundation
@testable import ObjectServer
import Permissions
import ServerClusterTestSupport
import TestKit
import Testing
import Transport

@Suite("GraphQL beside synced devices")
struct GraphQLConvergenceTests {
  private static let shown =
    "items(sortBy: \"_id\") { _id n o s m tags nums props { key value } ref { _id } refs { _id } sub { x y l } subs { x } subd { key value { y } } }"

  @Test(
    "after random mutations and edits of devices, through lost connections and crashes, everybody has the same state",
    arguments: Seeds.some(12))
  func converge(seed: UInt64) throws {
    let folder = NSTemporaryDirectory() + "openrealm-graphql-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let histories = try TestStorage.histories(
      .folder(folder), random: RandomSource(SeededGenerator(seed: 99)), isDurable: false)
    var random = SeededGenerator(seed: seed)
    let stage = try Stage(seed: seed, histories: histories) {
      $0.realmIdleTimeout = .milliseconds(Int64.random(in: 1...60, using: &random))
    }
    let ann = try stage.user("ann").token
    let devices = try (0..<3).map { number in
      try Device(name: "device\(number)", number: UInt64(number), path: "/~/todo", seed: seed)
    }
    try devices[0].connect(stage, token: ann)
    stage.run(.seconds(1))
    var taken = 0
    for _ in 0..<60 {
      let device = devices[Int.random(in: 0..<devices.count, using: &random)]
      switch Int.random(in: 0..<12, using: &random) {
      case 0...2: try device.edit(Int.random(in: 1...4, using: &random))
      case 3, 4: try device.connect(stage, token: ann)
      case 5: stage.network.breakConnections(between: device.name, and: "server")
      case 6 where random.oneIn(3): stage.crashAndRestart()
      default:
        var mutation = RandomMutation(random)
        let answer = try Self.ask("mutation { \(mutation.text()) }", stage, ann)
        random = mutation.random
        if answer["data"]?.members?.first.map({ $0.value != .null }) == true { taken += 1 }
      }
      stage.run(.milliseconds(Int64.random(in: 0...30, using: &random)))
    }
    let last = try Device(name: "reader", number: 9, path: "/~/todo", seed: seed)
    for _ in 0..<50 {
      for device in devices + [last] { try device.connect(stage, token: ann) }
      stage.run(.seconds(1))
      if (devices + [last]).allSatisfy(\.isSettled) { break }
    }
    stage.run(.seconds(1))
    #expect(taken > 3, "SEED=\(seed): hardly a mutation was accepted")
    for device in devices + [last] {
      #expect(device.failures == [], "SEED=\(seed)")
      #expect(device.isSettled, "SEED=\(seed): \(device.name) has unacknowledged commits")
      #expect(device.state == devices[0].state, "SEED=\(seed): \(device.name) differs")
    }
    let items = try Self.ask("{ items(sortBy: \"_id\") { _id n s } }", stage, ann)["data"]?["items"]?.elements
    let answered = items?.map { "\($0["_id"]?.text ?? "") \($0["n"]?.text ?? "") \($0["s"]?.string ?? "")" }
    #expect(answered == Self.rows(devices[0].state), "SEED=\(seed)")
  }

  @Test("the last push of a subscription is its query asked anew, whoever wrote", arguments: Seeds.some(6))
  func pushes(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let histories = try TestStorage.histories(
      .memory(prefix: "pushes-\(seed)-"), random: RandomSource(SeededGenerator(seed: 99)))
    let stage = try Stage(seed: seed, histories: histories)
    let ann = try stage.user("ann").token
    let device = try Device(name: "device", number: 0, path: "/~/todo", seed: seed)
    try device.connect(stage, token: ann)
    stage.run(.seconds(1))
    let client = GraphQLClient()
    client.connection = stage.network.host("browser").connectWebSocket(
      to: WebSocketEndpoint(
        url: try NetworkURL("ws://server:9080/graphql/~/todo"), protocolTokens: ["graphql-transport-ws"]),
      options: WebSocketOptions(), handler: client)
    stage.run()
    client.send(#"{"type":"connection_init","payload":{"token":"\#(ann)"}}"#)
    stage.run()
    let query = JSONValue.string("subscription { \(Self.shown) }").text
    client.send(#"{"id":"1","type":"subscribe","payload":{"query":\#(query)}}"#)
    stage.run(.seconds(1))
    var last = JSONValue.null
    for _ in 0..<25 {
      if random.oneIn(3) {
        try device.edit(Int.random(in: 1...3, using: &random))
      } else {
        var mutation = RandomMutation(random)
        _ = try Self.ask("mutation { \(mutation.text()) }", stage, ann)
        random = mutation.random
      }
      stage.run(.seconds(1))
      for message in client.take() {
        if let payload = try JSONValue(parsing: message)["payload"] { last = payload["data"] ?? .null }
      }
      #expect(try Self.ask("{ \(Self.shown) }", stage, ann)["data"] == last, "SEED=\(seed)")
    }
  }

  private static func ask(_ query: String, _ stage: Stage, _ token: String) throws -> JSONValue {
    let body = JSONValue.object([("query", .string(query))]).text
    let answer = try stage.send(
      "POST", "/graphql/~/todo", bearer: token, body: body, headers: ["Content-Type": "application/json"])
    #expect(answer.status == 200, "\(answer.text)")
    return try JSONValue(parsing: answer.text)
  }

  private static func rows(_ state: ModelState) -> [String] {
    let objects = (state.objects["Item"] ?? [:]).compactMap { key, fields -> (Int64, String)? in
      guard case .int(let id) = key, case .scalar(.int(let n))? = fields["n"],
        case .scalar(.string(let s))? = fields["s"]
      else { return nil }
      return (id, "\(id) \(n) \(s)")
    }
    return objects.sorted { $0.0 < $1.0 }.map(\.1)
  }
}

/// A random mutation of the schema of ``Device``.
private struct RandomMutation {
  var random: SeededGenerator

  init(_ random: SeededGenerator) { self.random = random }

  mutating func text() -> String {
    switch number(10) {
    case 0: return "deleteItem(_id: \(id()))"
    case 1: return "deleteItems(query: \"n > $0\", arguments: [\(number(9) + 4)])"
    case 2...5:
      let policy = ["NONE", "MODIFIED", "ALL"][number(3)]
      return "createItem(input: {_id: \(id()), \(fields())}, updatePolicy: \(policy)) { _id }"
    default: return "editItem(_id: \(id()), edits: [\(edit()), \(edit())]) { _id }"
    }
  }

  private mutating func number(_ end: Int) -> Int { Int.random(in: 0..<end, using: &random) }
  private mutating func id() -> Int { 1 + number(6) }
  private mutating func word() -> String { "\"w\(number(5))\"" }
  private mutating func link() -> String { "{_id: \(id())}" }
  private mutating func sub() -> String { "{x: \(number(9)), y: \(word()), l: [\(number(3)), 1]}" }
  private mutating func mixed() -> String {
    ["7", word(), "null", "[1, {k: \(word())}]", "{a: [2], b: 3}", "true"][number(6)]
  }

  private mutating func fields() -> String {
    let all = [
      "n: \(number(9))", "o: null", "s: \(word())", "m: \(mixed())", "ref: \(link())", "refs: [\(link()), \(link())]",
      "rset: [\(link())]", "tags: [\(word()), \(word())]", "nums: [\(number(4)), 9]",
      "props: [{key: \(word()), value: \(mixed())}]", "sub: \(sub())", "subs: [\(sub())]",
      "subd: [{key: \(word()), value: \(sub())}]",
    ]
    return all.filter { _ in Bool.random(using: &random) }.joined(separator: ", ")
  }

  private mutating func edit() -> String {
    switch number(6) {
    case 0: "{tags: \(list(word()))}"
    case 1: "{refs: \(list(link()))}"
    case 2: "{subs: \(list(sub()))}"
    case 3: "{nums: {\(number(2) == 0 ? "add" : "remove"): [\(number(5))]}}"
    case 4: "{props: {put: [{key: \(word()), value: \(mixed())}], remove: [\(word())]}}"
    default: "{subd: {put: [{key: \(word()), value: \(sub())}]}}"
    }
  }

  private mutating func list(_ element: String) -> String {
    switch number(5) {
    case 0: "{insert: [\(element)], at: 0}"
    case 1: "{insert: [\(element)]}"
    case 2: "{remove: 1, at: 0}"
    case 3: "{move: 0, at: \(number(3))}"
    default: "{replace: [\(element)], at: 0}"
    }
  }
}
