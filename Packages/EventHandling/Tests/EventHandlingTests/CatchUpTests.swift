import ChangesetOT
import DataModel
import Foundation
import ObjectStore
import RecordStore
import Synchronization
import TestKit
import Testing

@testable import EventHandling

/// A gate at which a handler waits.
final class Gate: Sendable {
  private let isOpen = Atomic<Bool>(false)

  func open() { isOpen.store(true, ordering: .releasing) }
  func wait() async throws { try await eventually { self.isOpen.load(ordering: .acquiring) } }
}

@Suite("handlers beyond their budget of history")
struct CatchUpTests {
  private static func keys(_ realm: Realm?) -> String {
    realm.map { $0.dynamicObjects("Task").compactMap { $0["id"] as? Int }.sorted().map(String.init).joined() } ?? "-"
  }

  private static func keys(_ changes: [ModificationDetails]?) -> String {
    (changes ?? []).map { "\($0.key.value.map { "\($0)" } ?? "")".filter(\.isNumber) }.sorted().joined()
  }

  @Test(
    "the difference to the present state is told in one call, again when it fails, and then what comes",
    arguments: [true, false])
  func difference(_ needsRealms: Bool) async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let (told, calls, gate) = (Told(), Told(), Gate())
    let notifier = try await server.notifier(
      TestHandler(needsRealms: needsRealms) { details in
        let tasks = details.changes["Task"]
        let text =
          "\(details.isCatchUp ? "all " : "")\(Self.keys(details.previousRealm))>\(Self.keys(details.currentRealm))"
          + " +\(Self.keys(tasks?.insertions)) -\(Self.keys(tasks?.deletions)) *\(Self.keys(tasks?.modifications))"
        calls.add(text)
        if calls.count == 1 { try await gate.wait() }
        struct Failure: Error {}
        if details.isCatchUp {
          #expect(details.schema["Task"] != nil)
          if calls.count < 4 { throw Failure() }
        }
        told.add(text)
      }
    ) { $0.budget = FeedBudget(bytes: 4_000) }
    try await server.edit("/ann/private") { editor in
      try editor.addClasses(Tasks.schema)
      for key in Int64(1)...2 { try editor.create(Tasks.task(key)) }
    }
    try await eventually { calls.count == 1 }
    let long = String(repeating: "x", count: 1_000)
    for step in 0..<8 { try await server.write("/ann/private", 2, long + "\(step)") }
    try await server.edit("/ann/private") { editor in
      try editor.erase(Tasks.task(1))
      try editor.create(Tasks.task(3))
    }
    gate.open()
    try await told.wait(for: 2)
    try await server.write("/ann/private", 4, "t")
    try await told.wait(for: 3)
    let expected =
      needsRealms
      ? ["->12 +12 - *", "all 12>23 +3 -1 *2", "23>234 +4 - *"] : ["->- +12 - *", "all ->- + - *", "->- +4 - *"]
    #expect(told.all == expected)
    #expect(Set(calls.all.dropFirst().dropLast()).count == 1, "the same difference each time")
    await notifier.stop()
    await server.stop()
  }
}
