import ByteCoding
import DataExchange
import Foundation
@testable import ObjectServer
import RecordStore
import Telemetry
import Testing

@Suite("Imports in the administration API", .serialized) struct AdminImportTests {
  private static let path = AdminObjectsTests.path

  /// Sends a CSV file of dogs with ids from 1000 on, and starts its import.
  private static func start(_ count: Int, _ scene: AdminScene, more: String = "") async throws -> JSONValue {
    let number = try #require(try await scene.call("POST", "files", body: #"{"name":"Dog.csv"}"#)["file"]?.integer)
    let text = "id,name\n" + (0..<count).map { "\(1_000 + $0),dog\n" }.joined() + more
    let bytes = Array(text.utf8)
    for at in stride(from: 0, to: bytes.count, by: 256 << 10) {
      let data = Data(bytes[at..<min(at + 256 << 10, bytes.count)]).base64EncodedString()
      _ = try await scene.call("PUT", "files/\(number)", body: #"{"at":\#(at),"data":"\#(data)"}"#)
    }
    return try await scene.call(
      "POST", "realm/import", body: #"{"path":"\#(path)","file":\#(number),"class":"Dog"}"#)
  }

  private static func end(of task: JSONValue, _ scene: AdminScene) async throws -> JSONValue {
    let id = try #require(task["id"]?.integer)
    while true {
      let found = try await scene.call("GET", "tasks/\(id)")
      if found["state"]?.string != "running" { return found }
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  private static func count(_ scene: AdminScene) async throws -> Int64? {
    try await scene.call("GET", "realm/objects?path=\(path)&class=Dog&take=0")["total"]?.integer
  }

  @Test("an import is written in batches, between which others write")
  func batches() async throws {
    try await AdminScene.run { scene in
      try AdminObjectsTests.makeRealm(in: scene, dogs: 1)
      let count = 2 * BatchedImport.mostObjects + 1
      let task = try await Self.start(count, scene)
      let ended = try await Self.end(of: task, scene)
      #expect(ended["state"]?.string == "done", "\(ended.text)")
      #expect(ended["message"]?.string == "\(count) created, 0 updated, 0 left out")
      #expect(try await Self.count(scene) == Int64(count) + 1)
      // The makings of objects and the walk for links: each a transaction of its own.
      let history = try await scene.call("GET", "realm/history?path=\(Self.path)&limit=10")
      let sizes = history["transactions"]?.elements?.compactMap { $0["bytes"]?.integer } ?? []
      #expect(sizes.filter { $0 > 10_000 }.count >= 2, "\(history.text.prefix(2_000))")
    }
  }

  @Test("a file that does not fit changes nothing, and an import that is ended tells what stays")
  func ends() async throws {
    try await AdminScene.run { scene in
      try AdminObjectsTests.makeRealm(in: scene, dogs: 1)
      let bad = try await Self.end(of: try await Self.start(6_000, scene, more: "none,dog\n"), scene)
      #expect(bad["state"]?.string == "failed")
      #expect(bad["message"]?.string?.contains("none") == true, "\(bad.text)")
      #expect(try await Self.count(scene) == 1)
      // Many, so that the end of the import does not come first.
      let count = 200_000
      let task = try await Self.start(count, scene)
      let id = try #require(task["id"]?.integer)
      #expect(try await scene.send("DELETE", "tasks/\(id)").status == 204)
      let ended = try await Self.end(of: task, scene)
      #expect(ended["state"]?.string == "failed")
      #expect(ended["message"]?.string?.hasPrefix("the task was ended by an administrator") == true, "\(ended.text)")
      let left = try #require(try await Self.count(scene)) - 1
      #expect(left < count)
      #expect(left == 0 || ended["message"]?.string?.contains("\(left) created") == true, "\(ended.text)")
    }
  }

  @Test("a file that a task uses is neither removed nor over, however long the task takes")
  func filesInUse() throws {
    let folder = NSTemporaryDirectory() + "/exchange-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = ExchangeFiles(folder: folder)
    let tasks = AdminTasks()
    let start = WallTime(millisecondsSince1970: 5)
    let used = try files.begin("a.csv", at: start, keeping: tasks.isUsed).number
    let unused = try files.begin("b.csv", at: start, keeping: tasks.isUsed).number
    let task = try tasks.begin(.importing, at: start, file: used)
    let late = WallTime(millisecondsSince1970: 10 + ExchangeFiles.lifetime)
    _ = try files.begin("c.csv", at: late, keeping: tasks.isUsed)
    _ = try files.path(used)
    #expect(throws: APIError.self) { try files.path(unused) }
    #expect(tasks.isUsed(used))
    tasks.end(task, .done, "", Logger(level: .error, sink: RecentLogs()))
    #expect(!tasks.isUsed(used))
    _ = try files.begin("d.csv", at: late, keeping: tasks.isUsed)
    #expect(throws: APIError.self) { try files.path(used) }
  }
}
