import ByteCoding
import DataModel
import Foundation
import ObjectStore
import RecordStore
import SyncClient
import Synchronization
import TestKit
import Testing

@testable import EventHandling

@Suite("handlers in another process than the server")
struct RemoteNotifierTests {
  /// The counts of a class that effects write.
  private static func counts(_ server: EventServer, _ path: String) async throws -> [Int] {
    guard let hold = try await server.server.hold(try .init(path)) else { return [] }
    return try await hold.perform { history in
      let contents = try history.file.contents()
      guard contents.schema["Tally"] != nil else { return [] }
      var counts: [Int] = []
      try contents.forEachObject(of: "Tally") { record in
        if case .value(.int(let count))? = record["count"] { counts.append(Int(count)) }
        return true
      }
      return counts
    }
  }

  private static let tally = ObjectReference(className: "Tally", key: .int(1))
  private static let tallySchema = Schema([
    ObjectSchema(
      className: "Tally", primaryKey: "id",
      properties: [Property(name: "id", type: .int), Property(name: "count", type: .int)])
  ])

  /// Counts a call, in a class that the effect brings with it.
  private static func count(_ realm: Realm) throws {
    try realm.editor.addClasses(tallySchema)
    try realm.editor.create(tally)
    guard case .value(.int(let count))? = try realm.editor.object(tally)?["count"] else { return }
    try realm.editor.set(["count": .value(.int(count + 1))], of: tally)
  }

  @Test("the closure form tells of the realms that match, with before and after, and effects are not told back")
  func closures() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    for path in ["/ann/private", "/ann/public"] { try server.makeRealm(path) }
    let told = Told()
    let notifier = try await Notifier.addListener(
      server: server.url, adminUser: try await server.admin(), pattern: "/private$", name: "audit",
      workingDirectory: server.work
    ) { details in
      func keys(_ realm: Realm?) -> [Int] {
        realm.map { $0.dynamicObjects("Task").compactMap { $0["id"] as? Int }.sorted() } ?? []
      }
      #expect(throws: EventError.self) { _ = try details.realmForWriting() }
      let new = details.changes["Task"]?.insertions.compactMap { $0.currentObject?["title"] as? String } ?? []
      try await details.write { try Self.count($0) }
      told.add("\(details.path) \(keys(details.previousRealm)) \(keys(details.currentRealm)) \(new)")
    }
    try await server.write("/ann/public", 1, "t")
    try await server.write("/ann/private", 1, "a")
    try await server.write("/ann/private", 2, "b")
    try await told.wait(for: 2)
    #expect(told.all == ["/ann/private [] [1] [\"a\"]", "/ann/private [1] [1, 2] [\"b\"]"])
    try await eventually { try await Self.counts(server, "/ann/private") == [2] }
    await notifier.stop()
    await server.stop()
  }

  @Test("a process that ends between effect and position does not make the effect again")
  func exactlyOnce() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let (told, gate) = (Told(), Gate())
    func start(_ device: String) async throws -> Notifier {
      try await server.remoteNotifier(
        TestHandler { details in
          try await details.write { try Self.count($0) }
          told.add("\(device) \(details.changes["Task"]?.insertions.count ?? 0)")
          // The first process stands between its effect and its position.
          if device == "one" { try await gate.wait() }
        }, device: device)
    }
    let one = try await start("one")
    try await server.write("/ann/private", 1, "t")
    try await told.wait(for: 1)
    try server.passLease(of: "/ann/private", to: "two")
    let two = try await start("two")
    try await server.write("/ann/private", 2, "t")
    try await told.wait(for: 2)
    gate.open()
    await one.stop()
    await two.stop()
    #expect(told.all == ["one 1", "two 1"])
    #expect(try await Self.counts(server, "/ann/private") == [2])
    await server.stop()
  }

  @Test("a process that lost a realm to another one cannot write its effect")
  func fencing() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let (told, begun, refused) = (Told(), Told(), Told())
    let (lost, known) = (Gate(), Gate())
    func start(_ device: String) async throws -> Notifier {
      try await server.remoteNotifier(
        TestHandler { details in
          begun.add(device)
          if device == "one" { try await lost.wait() }
          do { try await details.write { try Self.count($0) } } catch {
            refused.add(device)
            throw error
          }
          told.add(device)
          // The second process keeps the realm until the first one has met that.
          if device == "two" { try await known.wait() }
        }, device: device)
    }
    let one = try await start("one")
    try await server.write("/ann/private", 1, "t")
    try await begun.wait(for: 1)
    try server.passLease(of: "/ann/private", to: "two")
    let two = try await start("two")
    try await told.wait(for: 1)
    lost.open()
    try await refused.wait(for: 1)
    known.open()
    await one.stop()
    await two.stop()
    #expect(begun.all == ["one", "two"])
    #expect(refused.all == ["one"])
    #expect(told.all == ["two"])
    #expect(try await Self.counts(server, "/ann/private") == [1])
    await server.stop()
  }

  @Test("objects without primary key that effects make have keys of their own, and lists keep their order under merges")
  func mergedEffects() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    try server.makeRealm("/ann/private")
    let schema = Schema([
      ObjectSchema(className: "Log", properties: [Property(name: "text", type: .string)])
    ])
    let told = Told()
    let notifier = try await server.remoteNotifier(
      TestHandler { details in
        guard let task = details.changes["Task"]?.insertions.first else { return }
        try await details.write { realm in
          try realm.editor.addClasses(schema)
          let log = ObjectReference(className: "Log", key: try realm.editor.makeKey(for: "Log"))
          try realm.editor.create(log)
          try realm.editor.set(["text": .value(.string("\(task.key)"))], of: log)
          // One list of one object, by every effect.
          if case .list(let tags)? = try realm.editor.object(Tasks.task(0))?["tags"] {
            try realm.editor.set(["tags": .list(tags + [.value(.string("\(task.key)"))])], of: Tasks.task(0))
          }
        }
        told.add("\(task.key)")
      })
    for key in Int64(0)..<20 { try await server.write("/ann/private", key, "t") }
    try await told.wait(for: 20)
    await notifier.stop()
    let hold = try #require(try await server.server.hold(try .init("/ann/private")))
    let (logs, tags) = try await hold.perform { history -> (Set<String>, Int) in
      let contents = try history.file.contents()
      var logs: Set<String> = []
      try contents.forEachObject(of: "Log") { record in
        if case .value(.string(let text))? = record["text"] { logs.insert(text) }
        return true
      }
      guard case .list(let tags)? = try contents.object(Tasks.task(0))?["tags"] else { return (logs, -1) }
      return (logs, tags.count)
    }
    #expect(logs.count == 20)
    #expect(tags == 20)
    await server.stop()
  }

  @Test("a user of another server is refused, and so is a server that does not answer")
  func refusals() async throws {
    let server = try await EventServer()
    defer { server.remove() }
    let admin = try await server.admin()
    let elsewhere = try #require(URL(string: "http://127.0.0.1:1"))
    #expect(throws: EventError.self) {
      _ = try Notifier(server: elsewhere, adminUser: admin, NotifierConfiguration(workingDirectory: server.work))
    }
    await server.stop()
    await #expect(throws: EventError.self) {
      _ = try await Notifier.addListener(
        server: server.url, adminUser: admin, pattern: ".", workingDirectory: server.work
      ) { _ in }
    }
  }
}
