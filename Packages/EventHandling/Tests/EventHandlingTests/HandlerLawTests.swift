import ChangesetOT
import DataModel
import Foundation
import ObjectStore
import RecordStore
import Synchronization
import TestKit
import Testing

@testable import EventHandling

@Suite("laws of handlers")
struct HandlerLawTests {
  /// The states of a realm that a test made, by version, and what a handler was shown.
  private final class Record: Sendable {
    let states = Mutex<[UInt64: [Int64: String]]>([:])
    let faults = Mutex<[String]>([])
    let versions = Mutex<[UInt64]>([])

    func state(_ version: UInt64) -> [Int64: String]? { states.withLock { $0[version] } }
    func fail(_ fault: String) { faults.withLock { $0.append(fault) } }
  }

  private static func titles(_ realm: Realm?) -> [Int64: String] {
    guard let realm, realm.schema["Task"] != nil || !realm.isEmpty else { return [:] }
    var titles: [Int64: String] = [:]
    for task in realm.dynamicObjects("Task") {
      guard let key = task["id"] as? Int else { continue }
      titles[Int64(key)] = task["title"] as? String ?? ""
    }
    return titles
  }

  @Test(
    "under random transactions, failures and restarts a handler in the server's process or another one is shown every state before and after, in order, each once",
    arguments: Seeds.some(3), [false, true])
  func states(_ seed: UInt64, isRemote: Bool) async throws {
    var random = SeededGenerator(seed: seed)
    let server = try await EventServer()
    defer { server.remove() }
    func start(_ handler: TestHandler) async throws -> Notifier {
      isRemote ? try await server.remoteNotifier(handler) : try await server.notifier(handler)
    }
    try server.makeRealm("/ann/private")
    let record = Record()
    record.states.withLock { $0[0] = [:] }
    let handler = TestHandler { details in
      let version = details.id.position.version.rawValue
      let (before, after) = (Self.titles(details.previousRealm), Self.titles(details.currentRealm))
      if record.state(version - 1).map({ $0 != before }) ?? true { record.fail("before \(version): \(before)") }
      if record.state(version).map({ $0 != after }) ?? true { record.fail("after \(version): \(after)") }
      let tasks = details.changes["Task"] ?? ChangeSetDetails()
      for inserted in tasks.insertions where before[Self.key(inserted)] != nil || after[Self.key(inserted)] == nil {
        record.fail("insertion in \(version)")
      }
      for deleted in tasks.deletions where before[Self.key(deleted)] == nil || after[Self.key(deleted)] != nil {
        record.fail("deletion in \(version)")
      }
      let told = Set((tasks.insertions + tasks.deletions + tasks.modifications).map(Self.key))
      for key in Set(before.keys).union(after.keys) where before[key] != after[key] && !told.contains(key) {
        record.fail("\(key) is not told in \(version)")
      }
      struct Failure: Error {}
      // Whether a call fails depends on what it is told, not on the time.
      if version % 5 == 2, record.versions.withLock({ $0.last != version }) {
        record.versions.withLock { $0.append(version) }
        throw Failure()
      }
      record.versions.withLock { if $0.last != version { $0.append(version) } }
    }
    var notifier = try await start(handler)
    var model: [Int64: String] = [:]
    var last: UInt64 = 0
    for step in 0..<40 {
      let edits = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        (Int64.random(in: 0..<6, using: &random), Int.random(in: 0..<3, using: &random))
      }
      let next = edits.reduce(into: model) { model, edit in model[edit.0] = edit.1 == 0 ? nil : "\(step).\(edit.1)" }
      // A transaction that changes nothing makes no version.
      guard next != model || step == 0 else { continue }
      let version = try await server.edit("/ann/private") { editor -> Bool in
        try editor.addClasses(Tasks.schema)
        for (key, value) in edits {
          if value == 0 {
            try editor.erase(Tasks.task(key))
          } else {
            try editor.create(Tasks.task(key))
            try editor.set(["title": .value(.string("\(step).\(value)"))], of: Tasks.task(key))
          }
        }
        return true
      }
      _ = version
      model = next
      last += 1
      let (present, at) = (model, last)
      record.states.withLock { $0[at] = present }
      if Int.random(in: 0..<10, using: &random) == 0 {
        await notifier.stop()
        notifier = try await start(handler)
      }
    }
    let end = last
    try await eventually { record.versions.withLock { $0.last == end } }
    await notifier.stop()
    #expect(record.faults.withLock { $0 } == [], "seed \(seed)")
    let versions = record.versions.withLock { $0 }
    #expect(Set(versions) == Set(1...end), "seed \(seed)")
    #expect(versions == versions.sorted(), "seed \(seed)")
    await server.stop()
  }

  private static func key(_ change: ModificationDetails) -> Int64 {
    if case .int(let key) = change.key { key } else { -1 }
  }

  @Test("the pauses between calls double up to the longest, and end")
  func pauses() {
    let schedule = RetrySchedule(numberOfRetries: 5, delay: .milliseconds(100), longest: .milliseconds(500))
    #expect(
      (1...6).map { schedule.delay(after: $0) } == [100, 200, 400, 500, 500, nil].map { $0.map { .milliseconds($0) } })
  }
}
