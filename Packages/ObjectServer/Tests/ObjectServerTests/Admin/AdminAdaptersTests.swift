import ByteCoding
import DataModel
@testable import ObjectServer
import Permissions
import RecordStore
import Telemetry
import Testing
import Transport

@Suite("Adapters over HTTP", .serialized)
struct AdminAdaptersTests {
  private static let schema = Schema([
    ObjectSchema(
      className: "Task", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "title", type: .string),
        Property(name: "tags", type: .string, collection: .list),
      ])
  ])

  private static func task(_ key: Int64) -> ObjectReference { ObjectReference(className: "Task", key: .int(key)) }

  /// A realm at `/shop` with the class.
  private func realm(_ scene: AdminScene) async throws -> RealmHold {
    let hold = try #require(try await scene.server.hold(try Permissions.RealmPath("/shop"), creator: UserId("ann")))
    try await hold.write { try $0.file.edit { try $0.addClasses(Self.schema) } }
    return hold
  }

  private func write(_ key: Int64, _ hold: RealmHold) async throws {
    try await hold.write { history in
      try history.file.edit { editor in
        try editor.create(Self.task(key))
        try editor.set(["title": .value(.string("t\(key)"))], of: Self.task(key))
      }
    }
  }

  private func lines(_ response: HTTPResponse) throws -> [JSONValue] {
    #expect(response.status == 200, "\(response.text)")
    return try response.body.split(separator: 0x0A).map { try JSONValue(parsing: Array($0)) }
  }

  private static let transactions = "adapters/sql/transactions?path=/shop"

  @Test("transactions are told until the position is moved, and the adapter does not hear what it wrote")
  func connector() async throws {
    try await AdminScene.run { scene in
      let hold = try await realm(scene)
      try await write(1, hold)
      for _ in 0..<2 {
        let told = try lines(try await scene.send("GET", Self.transactions))
        #expect(told.count == 2)
        #expect(told.first?["instructions"]?.elements?.first?["type"]?.string == "ADD_TYPE")
        #expect(
          told.last?["instructions"]?.elements?.map(\.text) == [
            #"{"type":"INSERT","object_type":"Task","identity":1,"values":{"title":"t1"}}"#
          ])
      }
      let first = try lines(try await scene.send("GET", Self.transactions + "&limit=1"))
      let position = try #require(first.first?["position"]?.string)
      #expect(try lines(try await scene.send("GET", Self.transactions + "&after=\(position)")).count == 1)
      _ = try await scene.call(
        "POST", "adapters/sql/position", body: #"{"path":"/shop","position":"\#(position)"}"#)
      #expect(try lines(try await scene.send("GET", Self.transactions)).count == 1)
      for _ in 0..<2 {
        let answer = try await scene.call(
          "POST", "adapters/sql/transactions",
          body: #"""
            {"path":"/shop","number":7,"instructions":[
              {"type":"SET","object_type":"Task","identity":1,"values":{"title":"by SQL"}},
              {"type":"LIST_CLEAR","object_type":"Task","identity":1,"property":"tags"},
              {"type":"LIST_INSERT","object_type":"Task","identity":1,"property":"tags","list_index":0,"value":"x"}]}
            """#)
        #expect(answer["written"]?.integer == 7)
      }
      let record = try await hold.perform { try $0.file.contents().object(Self.task(1)) }
      #expect(record?["title"] == .value(.string("by SQL")))
      #expect(record?["tags"] == .list([.value(.string("x"))]))
      #expect(try lines(try await scene.send("GET", Self.transactions)).count == 1)
      #expect(try lines(try await scene.send("GET", "adapters/other/transactions?path=/shop")).count == 3)
      let state = try await scene.call("GET", "adapters/sql?path=/shop")
      #expect(state["version"]?.integer == 1)
      #expect(state["written"]?.integer == 7)
      _ = try await scene.call("DELETE", "adapters/other?path=/shop")
      #expect(try await scene.send("DELETE", "adapters/other?path=/shop").status == 404)
    }
  }

  @Test("a request waits for the first transaction, and a realm without one answers nothing in the end")
  func waiting() async throws {
    try await AdminScene.run { scene in
      let hold = try await realm(scene)
      let position = try #require(try lines(try await scene.send("GET", Self.transactions)).last?["position"]?.string)
      #expect(try lines(try await scene.send("GET", Self.transactions + "&after=\(position)&wait=1")).isEmpty)
      async let answer = scene.send("GET", Self.transactions + "&after=\(position)&wait=60")
      try await write(5, hold)
      #expect(try lines(try await answer).count == 1)
    }
  }

  @Test("the contents of a realm come with their position, object by object")
  func contents() async throws {
    try await AdminScene.run { scene in
      let hold = try await realm(scene)
      try await hold.write { history in
        try history.file.edit { editor in
          for key in Int64(1)...3_000 {
            try editor.create(Self.task(key))
            try editor.set(
              ["title": .value(.string("t\(key)")), "tags": .list([.value(.string("x"))])], of: Self.task(key))
          }
        }
      }
      let told = try lines(try await scene.send("GET", "adapters/sql/contents?path=/shop"))
      #expect(told.count == 3_002)
      let position = try #require(told.first?["position"]?.string)
      #expect(told[1]["instructions"]?.elements?.first?["type"]?.string == "ADD_TYPE")
      let inserted = told.dropFirst(2).compactMap { $0["instructions"]?.elements?.first?["identity"]?.integer }
      #expect(Set(inserted) == Set(1...3_000))
      _ = try await scene.call(
        "POST", "adapters/sql/position", body: #"{"path":"/shop","position":"\#(position)"}"#)
      #expect(try lines(try await scene.send("GET", Self.transactions)).isEmpty)
    }
  }

  @Test("a process without the lease of a realm cannot read on, move the position or write")
  func leases() async throws {
    try await AdminScene.run { scene in
      let hold = try await realm(scene)
      try await write(1, hold)
      let taken = try await scene.call("POST", "adapters/sql/lease", body: #"{"path":"/shop"}"#)
      let lease = try #require(taken["lease"]?.string)
      #expect(try await scene.send("POST", "adapters/sql/lease", body: #"{"path":"/shop"}"#).status == 409)
      let again = try await scene.call("POST", "adapters/sql/lease", body: #"{"path":"/shop","lease":"\#(lease)"}"#)
      #expect(again["lease"]?.string == lease)
      #expect(try await scene.send("GET", Self.transactions).status == 409)
      let told = try lines(try await scene.send("GET", Self.transactions + "&lease=" + lease))
      let position = try #require(told.last?["position"]?.string)
      let move = #"{"path":"/shop","position":"\#(position)""#
      #expect(try await scene.send("POST", "adapters/sql/position", body: move + "}").status == 409)
      #expect(
        try await scene.send("POST", "adapters/sql/position", body: move + #","lease":"stale"}"#).status == 409)
      _ = try await scene.call("POST", "adapters/sql/position", body: move + #","lease":"\#(lease)"}"#)
      _ = try await scene.call(
        "POST", "adapters/sql/lease", body: #"{"path":"/shop","lease":"\#(lease)","release":true}"#)
      #expect(try await scene.send("GET", Self.transactions + "&lease=" + lease).status == 409, "it is void")
      _ = try await scene.call("POST", "adapters/sql/lease", body: #"{"path":"/shop"}"#)
    }
  }

  @Test("administrators see which adapters call, and how far every consumer of a realm is")
  func consumers() async throws {
    try await AdminScene.run { scene in
      let hold = try await realm(scene)
      #expect(try await scene.call("GET", "adapters")["total"]?.integer == 0)
      #expect(try await scene.call("GET", "realm/consumers?path=/shop")["consumers"]?.elements?.isEmpty == true)
      try await write(1, hold)
      _ = try lines(try await scene.send("GET", Self.transactions))
      _ = try await scene.call("POST", "adapters/sql/lease", body: #"{"path":"/shop"}"#)
      let listed = try await scene.call("GET", "adapters")
      #expect(listed["total"]?.integer == 1)
      let adapter = try #require(listed["adapters"]?.elements?.first)
      #expect(adapter["adapter"]?.string == "sql")
      #expect(adapter["path"]?.string == "/shop")
      #expect(adapter["leasedUntil"]?.integer != nil)
      #expect(adapter["consumer"]?["versions"]?.integer == 2)
      #expect(adapter["consumer"]?["bytes"]?.integer ?? 0 > 0)
      let consumers = try await scene.call("GET", "realm/consumers?path=/shop")["consumers"]?.elements ?? []
      #expect(consumers.compactMap { $0["name"]?.string } == ["adapter sql"])
      // Its age may have changed between the two.
      for field in ["name", "position", "versions", "bytes", "budgetBytes"] {
        #expect(consumers.first?[field] == adapter["consumer"]?[field], "\(field)")
      }
      #expect(try await scene.call("GET", "adapters?skip=1")["adapters"]?.elements?.isEmpty == true)
      #expect(try await scene.send("GET", "realm/consumers?path=/none").status == 404)
    }
  }

  @Test("callers are remembered up to a bound, the newest ones")
  func callers() throws {
    let callers = AdapterCallers()
    let path = try Permissions.RealmPath("/shop")
    for number in 0...AdapterCallers.mostCallers {
      callers.note(
        AdapterLeases.Key(adapter: "a\(number)", path: path), at: WallTime(millisecondsSince1970: Int64(number)))
    }
    let all = callers.all
    #expect(all.count == AdapterCallers.mostCallers / 2 + 1)
    #expect(all.allSatisfy { $0.lastCall.millisecondsSince1970 >= Int64(AdapterCallers.mostCallers / 2) })
  }

  @Test("wrong calls are refused with their reasons")
  func refusals() async throws {
    try await AdminScene.run { scene in
      _ = try await realm(scene)
      func write(_ instructions: String, _ more: String = "") async throws -> HTTPResponse {
        let response = try await scene.send(
          "POST", "adapters/sql/transactions",
          body: #"{"path":"/shop","number":1,"instructions":[\#(instructions)]\#(more)}"#)
        try AdminShape.check("POST", "adapters/sql/transactions", response)
        return response
      }
      let bad = try await write(#"{"type":"DELETE","object_type":"Task"}"#)
      #expect(bad.status == 400)
      #expect(bad.text.contains("instructions[0]: the member 'identity'"))
      #expect(try await write(#"{"type":"JUMP"}"#).status == 400)
      #expect(
        try await write(#"{"type":"SET","object_type":"Task","identity":1,"values":{"none":1}}"#).status == 409)
      #expect(try await write("", #","base":"99-1""#).status == 409)
      #expect(try await write("", #","base":"x""#).status == 400)
      #expect(try await scene.send("GET", "adapters/sql/transactions?path=/none").status == 404)
      #expect(try await scene.send("GET", Self.transactions + "&after=9-9").status == 409)
      #expect(try await scene.send("GET", Self.transactions + "&wait=61").status == 400)
    }
  }

  @Test("leases pass to another process when their time is over, and the first one is fenced")
  func leaseTimes() throws {
    let leases = AdapterLeases()
    let key = AdapterLeases.Key(adapter: "a", path: try Permissions.RealmPath("/shop"))
    let random = RandomSource(SystemRandomNumberGenerator())
    let start = WallTime(millisecondsSince1970: 1_700_000_000_000)
    let first = try leases.take(key, token: nil, at: start, random: random)
    #expect(throws: APIError.self) { try leases.take(key, token: nil, at: start + .seconds(29), random: random) }
    try leases.check(key, token: first, at: start + .seconds(20))
    #expect(throws: APIError.self) { try leases.take(key, token: nil, at: start + .seconds(49), random: random) }
    let second = try leases.take(key, token: nil, at: start + .seconds(51), random: random)
    #expect(throws: APIError.self) { try leases.check(key, token: first, at: start + .seconds(52)) }
    try leases.check(key, token: second, at: start + .seconds(53))
  }

  @Test("a process that waits does not lose its lease meanwhile", arguments: [0, 5, 60])
  func leasesOfWaiting(_ seconds: Int64) {
    #expect(AdapterLeases.wait(seconds, holding: nil) == seconds)
    #expect(AdapterLeases.wait(seconds, holding: "lease") <= seconds)
    #expect(.seconds(AdapterLeases.wait(seconds, holding: "lease")) < AdapterLeases.duration)
  }
}
