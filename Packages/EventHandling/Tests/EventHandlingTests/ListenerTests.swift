import DataModel
import Foundation
import ObjectStore
import RecordStore
import Synchronization
import Testing

@testable import EventHandling

@Suite("listeners that are closures")
struct ListenerTests {
  @Test("a closure is called for the realms that match, and a text that is no pattern is refused")
  func closures() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    for path in ["/ann/private", "/ann/public"] { try server.makeRealm(path) }
    let told = Told()
    let notifier = try await server.server.addListener("/private$", name: "audit", workingDirectory: server.work) {
      told.add($0.path)
    }
    try await server.write("/ann/public", 1, "t")
    try await server.write("/ann/private", 1, "t")
    try await server.write("/ann/private", 2, "t")
    try await told.wait(for: 2)
    #expect(told.all == ["/ann/private", "/ann/private"])
    await notifier.stop()
    await #expect(throws: EventError.self) {
      _ = try await server.server.addListener("(", name: "bad", workingDirectory: server.work) { _ in }
    }
    await server.stop()
  }

  @Test("what is written to the realm that a handler is lent is an event like those of others")
  func lentRealms() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let told = Told()
    let notifier = try await server.server.addListener("/private$", name: "copy", workingDirectory: server.work) {
      details in
      for task in details.changes["Task"]?.insertions ?? [] {
        guard let key = task.currentObject?["id"] as? Int else { continue }
        told.add("\(key)")
        guard key < 100 else { continue }
        let realm = try details.realmForWriting()
        try realm.write { _ = realm.dynamicCreate("Task", value: ["id": key + 100, "title": "copy"]) }
      }
    }
    try await server.write("/ann/private", 1, "t")
    try await told.wait(for: 2)
    #expect(told.all == ["1", "101"])
    #expect(try await server.titles("/ann/private") == [1: "t", 101: "copy"])
    await notifier.stop()
    await server.stop()
  }
}
