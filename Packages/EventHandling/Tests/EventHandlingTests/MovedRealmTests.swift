import DataModel
import Foundation
import ObjectServer
import Permissions
import RecordStore
import Synchronization
import Testing

@testable import EventHandling

@Suite("handlers and realms that are moved, deleted and made anew")
struct MovedRealmTests {
  private static func handler(_ told: Told, _ gate: Gate) -> TestHandler {
    TestHandler { details in
      for task in details.changes["Task"]?.insertions ?? [] {
        told.add("\(details.path) \(task.currentObject?["id"] as? Int ?? -1)")
      }
      if told.count == 1 { try await gate.wait() }
    }
  }

  @Test("a realm is renamed between two transactions of a busy handler, which goes on at the new path at once")
  func renamed() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let (told, gate) = (Told(), Gate())
    let notifier = try await server.notifier(Self.handler(told, gate))
    for key in Int64(1)...3 { try await server.write("/ann/private", key, "t") }
    try await told.wait(for: 1)
    async let renaming: Void = server.rename("/ann/private", to: "/ann/archive")
    try await eventually { try await server.isWanted("/ann/private") }
    gate.open()
    try await renaming
    try await told.wait(for: 3)
    #expect(told.all.map { String($0.suffix(1)) } == ["1", "2", "3"])
    #expect(told.all.last == "/ann/archive 3")
    await notifier.stop()
    await server.stop()
  }

  @Test("a realm that is deleted and made anew is told from its beginning")
  func remade() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let (told, gate) = (Told(), Gate())
    gate.open()
    let notifier = try await server.notifier(Self.handler(told, gate))
    try await server.write("/ann/private", 1, "old")
    try await told.wait(for: 1)
    try await server.delete("/ann/private")
    try server.makeRealm("/ann/private")
    for key in Int64(5)...6 { try await server.write("/ann/private", key, "new") }
    try await told.wait(for: 3)
    #expect(told.all.map { String($0.suffix(1)) } == ["1", "5", "6"])
    await notifier.stop()
    await server.stop()
  }

  @Test("new classes and properties are told in the realms of the next transactions")
  func schemas() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let told = Told()
    let notifier = try await server.notifier(
      TestHandler { details in
        for (name, changes) in details.changes.sorted(by: { $0.key < $1.key }) {
          for object in changes.insertions + changes.modifications {
            let now = object.currentObject
            told.add("\(name) \(now?["id"] as? Int ?? -1) \(details.schema[name]?.properties.count ?? 0)")
          }
        }
      })
    try await server.write("/ann/private", 1, "t")
    try await told.wait(for: 1)
    try await server.edit("/ann/private") { editor in
      try editor.addClasses(
        Schema([
          ObjectSchema(
            className: "Task", primaryKey: "id",
            properties: [Property(name: "id", type: .int), Property(name: "rank", type: .int)]),
          ObjectSchema(
            className: "Note", primaryKey: "id", properties: [Property(name: "id", type: .int)]),
        ]))
      try editor.create(ObjectReference(className: "Note", key: .int(7)))
      try editor.set(["rank": .value(.int(3))], of: Tasks.task(1))
    }
    try await told.wait(for: 3)
    #expect(told.all == ["Task 1 4", "Note 7 1", "Task 1 5"])
    await notifier.stop()
    await server.stop()
  }
}
