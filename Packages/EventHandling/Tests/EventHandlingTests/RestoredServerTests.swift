import DataModel
import Foundation
import ObjectStore
import RecordStore
import Testing

@testable import EventHandling

@Suite("handlers and restored servers")
struct RestoredServerTests {
  @Test("after a restoration the position is as old as the files: what is written then is told on the restored state")
  func restored() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString)").path
    defer { for name in ["", ".copy"] { try? FileManager.default.removeItem(atPath: folder + name) } }
    let told = Told()
    let handler = TestHandler { details in
      let before = details.previousRealm.map { $0.dynamicObjects("Task").compactMap { $0["id"] as? Int }.sorted() }
      for task in details.changes["Task"]?.insertions ?? [] {
        told.add("\(before ?? []) \(task.currentObject?["id"] as? Int ?? -1)")
      }
    }
    /// Starts a server, writes tasks one by one, and stops it when the handler was told of them.
    func serve(writing keys: ClosedRange<Int64>) async throws {
      let server = try await EventServer(folder: folder)
      if keys.lowerBound == 1 { try server.makeRealm("/ann/private") }
      let notifier = try await server.notifier(handler)
      let count = told.count
      for key in keys { try await server.write("/ann/private", key, "t") }
      try await told.wait(for: count + keys.count)
      await notifier.stop()
      await server.stop()
    }
    try await serve(writing: 1...2)
    try FileManager.default.copyItem(atPath: folder + "/data", toPath: folder + ".copy")
    try await serve(writing: 3...4)
    try FileManager.default.removeItem(atPath: folder + "/data")
    try FileManager.default.copyItem(atPath: folder + ".copy", toPath: folder + "/data")
    try await serve(writing: 5...6)
    #expect(
      told.all == ["[] 1", "[1] 2", "[1, 2] 3", "[1, 2, 3] 4", "[1, 2] 5", "[1, 2, 5] 6"])
  }
}
