import DataModel
import Foundation
import ObjectStore
import Permissions
import RecordStore
import Synchronization
import TestKit
import Testing

@testable import EventHandling

@Suite("notifiers")
struct NotifierTests {
  @Test("a transaction is told with its objects before and after, their indexes, and both realms")
  func details() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    for key in Int64(1)...3 { try await server.write("/ann/private", key, "t\(key)") }
    let told = Told()
    let notifier = try await server.notifier(
      TestHandler { details in
        guard let tasks = details.changes["Task"] else { return told.add("none") }
        let before = details.previousRealm.map { $0.dynamicObjects("Task").count } ?? -1
        let after = details.currentRealm.map { $0.dynamicObjects("Task").count } ?? -1
        // Objects are found by index and by reference.
        func title(_ realm: Realm?, _ index: Int, _ object: DynamicObject?) -> String {
          guard let realm, index >= 0 else { return "\(index)" }
          let found = realm.dynamicObjects("Task")[index]["title"] as? String ?? "-"
          return found == object?["title"] as? String ? found : "!"
        }
        func text(_ change: ModificationDetails) -> String {
          title(details.previousRealm, change.previousIndex, change.previousObject) + ">"
            + title(details.currentRealm, change.currentIndex, change.currentObject)
        }
        let inserted = tasks.insertions.map { "+" + text($0) }
        let deleted = tasks.deletions.map { "-" + text($0) }
        let modified = tasks.modifications.map { "*" + text($0) }
        told.add("\(before)>\(after) " + (inserted + deleted + modified).joined(separator: " "))
      })
    try await server.edit("/ann/private") { editor in
      try editor.erase(Tasks.task(1))
      try editor.set(["title": .value(.string("new"))], of: Tasks.task(2))
      try editor.create(Tasks.task(4))
      try editor.set(["title": .value(.string("t4"))], of: Tasks.task(4))
    }
    try await told.wait(for: 1)
    #expect(told.all == ["3>3 +-1>t4 -t1>-1 *t2>new"])
    await notifier.stop()
    await server.stop()
  }

  @Test("a handler that fails is called again with the same transaction, and then with the next")
  func retries() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let (told, calls) = (Told(), Told())
    let notifier = try await server.notifier(
      TestHandler { details in
        calls.add(details.id.description)
        struct Failure: Error {}
        if calls.count < 4 { throw Failure() }
        told.add(details.changes["Task"]?.insertions.map { "\($0.key)" }.joined() ?? "none")
      })
    for key in Int64(1)...3 { try await server.write("/ann/private", key, "t") }
    try await told.wait(for: 3)
    #expect(told.all == ["1", "2", "3"])
    #expect(Set(calls.all.prefix(4)).count == 1)
    await notifier.stop()
    await server.stop()
  }

  @Test("after a restart the handler goes on where it was, also in realms that were made meanwhile")
  func restarts() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    try await server.write("/ann/private", 1, "before the first start")
    let told = Told()
    let handler = TestHandler { details in
      told.add(details.path + " " + (details.changes["Task"]?.insertions.map { "\($0.key)" }.joined() ?? ""))
    }
    let first = try await server.notifier(handler)
    try await server.write("/ann/private", 2, "t")
    try await told.wait(for: 1)
    await first.stop()
    try await server.write("/ann/private", 3, "t")
    try server.makeRealm("/bob/private")
    try await server.write("/bob/private", 9, "the first of all")
    let second = try await server.notifier(handler)
    try await told.wait(for: 3)
    #expect(Set(told.all) == ["/ann/private 2", "/ann/private 3", "/bob/private 9"])
    await second.stop()
    await server.stop()
  }

  @Test("what a handler writes with its position is done once, and is not told to it")
  func exactlyOnce() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let told = Told()
    let notifier = try await server.notifier(
      TestHandler { details in
        told.add("\(details.id.position.version.rawValue)")
        try await details.write { realm in
          let counter = realm.dynamicObject(Tasks.task(0)) ?? realm.dynamicCreate("Task", value: ["id": 0])
          counter["title"] = (counter["title"] as? String ?? "") + "x"
        }
        struct Failure: Error {}
        throw Failure()
      })
    for key in Int64(1)...5 { try await server.write("/ann/private", key, "t") }
    try await told.wait(for: 5)
    try await eventually { try await server.titles("/ann/private")[0] == "xxxxx" }
    await notifier.stop()
    #expect(told.count == 5)
    await server.stop()
  }

  @Test("a realm on which a handler fails for good is quarantined; others go on, and a release continues")
  func quarantine() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    for path in ["/ann/private", "/bob/private"] { try server.makeRealm(path) }
    let (told, fault) = (Told(), Fault())
    let notifier = try await server.notifier(
      TestHandler { details in
        struct Broken: Error {}
        if details.path == "/ann/private", fault.isThere.load(ordering: .relaxed) { throw Broken() }
        told.add(details.path)
      }
    ) { $0.numberOfRetries = 2 }
    try await server.write("/ann/private", 1, "t")
    try await eventually { await !notifier.quarantined().isEmpty }
    #expect(await notifier.quarantined().map(\.path) == ["/ann/private"])
    try await server.write("/bob/private", 1, "t")
    try await told.wait(for: 1)
    fault.isThere.store(false, ordering: .relaxed)
    #expect(await notifier.release("/ann/private", handler: "test"))
    try await told.wait(for: 2)
    #expect(told.all == ["/bob/private", "/ann/private"])
    await notifier.stop()
    await server.stop()
  }

  @Test("a handler whose pattern matches no realm is reported")
  func withoutRealms() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let pattern = try PathPattern("^/x/")
    let notifier = try await server.notifier(TestHandler(matches: { pattern.matches($0) }, handle: { _ in }))
    #expect(await notifier.handlersWithoutRealms() == ["test"])
    try server.makeRealm("/x/y")
    try await server.write("/x/y", 1, "t")
    try await eventually { await notifier.handlersWithoutRealms().isEmpty }
    await notifier.stop()
    await server.stop()
    #expect(throws: EventError.self) { try PathPattern("(") }
  }
}

/// A fault that a test ends.
private final class Fault: Sendable {
  let isThere = Atomic<Bool>(true)
}
