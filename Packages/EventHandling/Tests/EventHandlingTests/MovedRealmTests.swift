import DataModel
import Foundation
import ObjectServer
import Permissions
import RecordStore
import Synchronization
import TestKit
import Testing

@testable import EventHandling

@Suite("handlers and realms that are moved, deleted and made anew")
struct MovedRealmTests {
  /// A handler that waits at a gate after each of its first objects.
  private static func handler(_ told: Told, _ gates: Gate...) -> TestHandler {
    TestHandler { details in
      for task in details.changes["Task"]?.insertions ?? [] {
        told.add("\(details.path) \(task.currentObject?["id"] as? Int ?? -1)")
      }
      if told.count <= gates.count { try await gates[told.count - 1].wait() }
    }
  }

  @Test("a realm is renamed between two transactions of a busy handler, which goes on at the new path at once")
  func renamed() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let (told, first, second) = (Told(), Gate(), Gate())
    let notifier = try await server.notifier(Self.handler(told, first, second))
    try await server.write("/ann/private", 1, "t")
    try await told.wait(for: 1)
    for key in Int64(2)...4 { try await server.write("/ann/private", key, "t") }
    first.open()
    // The handler is told of the second one, and has read the others.
    try await told.wait(for: 2)
    async let renaming: Void = server.rename("/ann/private", to: "/ann/archive")
    try await eventually { try await server.isWanted("/ann/private") }
    second.open()
    try await renaming
    try await told.wait(for: 4)
    #expect(told.all == ["/ann/private 1", "/ann/private 2", "/ann/archive 3", "/ann/archive 4"])
    await notifier.stop()
    await server.stop()
  }

  @Test("a realm that is deleted and made anew is told from its beginning")
  func remade() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let told = Told()
    let notifier = try await server.notifier(Self.handler(told))
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
