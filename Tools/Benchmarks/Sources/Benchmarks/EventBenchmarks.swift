import DataModel
import Dispatch
import EventHandling
import Foundation
import ObjectServer
import Permissions
import RecordStore
import Synchronization
import Telemetry
import TestKit
import TransportReal

/// Event handlers in the server's process: events beside commits, and many realms that are watched.
let eventBenchmarks = Suite(prefix: "events.") { report in
  if report.wants("events.handler") {
    let commits = 2_000
    let base = try EventWorkload.measure(realms: 1) { try await $0.secondsToCommit(commits) }
    let plain = try EventWorkload.measure(realms: 1) { work in
      try await work.watch(needsRealms: false)
      return try await work.secondsToHandle(commits)
    }
    let realms = try EventWorkload.measure(realms: 1) { work in
      try await work.watch(needsRealms: true)
      return try await work.secondsToHandle(commits)
    }
    report.row(
      "events.handler-2k", "2,000 durable commits until a handler has dealt with them, beside the commits alone",
      ours: plain, rival: base, unit: "s", .gainAtLeast(0.5))
    report.row(
      "events.handler-realms-2k", "the same, each with the realm before and after", ours: realms, rival: base,
      unit: "s",
      .gainAtLeast(0.5))
  }
  if report.wants("events.watch") {
    let few = try EventWorkload.measure(realms: 100) { try await $0.watched() }
    let many = try EventWorkload.measure(realms: 30_000) { try await $0.watched() }
    report.row(
      "events.watch-30k-start", "a handler that begins with 30,000 realms", ours: many.start, rival: nil, unit: "s")
    report.row(
      "events.watch-30k-memory", "memory of a handler of 30,000 realms", ours: many.bytes / 1_048_576, rival: nil,
      unit: "MiB")
    report.row(
      "events.watch-30k-change", "one change until its handler was called, beside that with 100 realms",
      ours: many.change, rival: few.change, unit: "s", .costAtMost(1.5))
  }
}

/// A server on disk in this process with realms of one task.
private final class EventWorkload: @unchecked Sendable {
  private let folder: ScratchFolder
  private let server: ObjectServer
  private let paths: [RealmPath]
  private var notifier: Notifier?
  private let counter = HandledCounter()

  private init(realms: Int) async throws {
    folder = try ScratchFolder("events-\(UUID().uuidString)")
    let environment = try EmbeddedServer(path: folder.url.appendingPathComponent("data").path).open(
      network: RealNetwork(loop: try EventLoop(name: "events")), threads: 4, logger: .disabled)
    var configuration = ServerConfiguration()
    configuration.address = .init(host: "127.0.0.1", port: 0)
    server = ObjectServer(configuration: configuration, environment: environment)
    _ = try await server.start()
    paths = try (0..<realms).map { try RealmPath("/user\($0)/private") }
    for path in paths {
      _ = try environment.directory.recordRealm(
        path, createdBy: UserId("bench"), at: WallTime(secondsSince1970: 1_700_000_000))
      try environment.stores.open(path, isNew: true).close()
    }
    // Other values than the first write that is measured: a write that changes nothing is no event.
    try await write(0, to: paths[0], -1)
  }

  /// Runs a measurement on a server of its own.
  static func measure<Value: Sendable>(
    realms: Int, _ body: @escaping @Sendable (EventWorkload) async throws -> Value
  ) throws -> Value {
    let outcome = Mutex<Result<Value, any Error>?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      do {
        let work = try await EventWorkload(realms: realms)
        let value = try await body(work)
        await work.end()
        outcome.withLock { $0 = .success(value) }
      } catch {
        outcome.withLock { $0 = .failure(error) }
      }
      done.signal()
    }
    done.wait()
    guard let result = outcome.withLock({ $0 }) else { throw BenchmarkFailure("there is no outcome") }
    return try result.get()
  }

  private func end() async {
    await notifier?.stop()
    await server.stop()
    folder.remove()
  }

  private static let schema = Schema([
    ObjectSchema(
      className: "Task", primaryKey: "id",
      properties: [
        Property(name: "id", type: .int), Property(name: "title", type: .string), Property(name: "due", type: .int),
      ])
  ])

  private func write(_ key: Int64, to path: RealmPath, _ number: Int) async throws {
    guard let hold = try await server.hold(path) else { throw BenchmarkFailure("\(path) is missing") }
    try await hold.write { history in
      try history.file.edit { editor in
        let task = ObjectReference(className: "Task", key: .int(key))
        try editor.addClasses(Self.schema)
        try editor.create(task)
        try editor.set(
          ["title": .value(.string("task \(number) of many")), "due": .value(.int(Int64(number)))], of: task)
      }
    }
  }

  func watch(needsRealms: Bool) async throws {
    let handler = CountingHandler(needsRealms: needsRealms, counter: counter)
    let new = Notifier(
      server, NotifierConfiguration(workingDirectory: folder.url.path + "/work", handlers: [handler]))
    try await new.start()
    notifier = new
  }

  func secondsToCommit(_ count: Int) async throws -> Double {
    let start = ContinuousClock.now
    for number in 0..<count { try await write(Int64(number % 1_000), to: paths[0], number) }
    return Self.seconds(since: start)
  }

  func secondsToHandle(_ count: Int) async throws -> Double {
    let start = ContinuousClock.now
    for number in 0..<count { try await write(Int64(number % 1_000), to: paths[0], number) }
    await counter.wait(for: count)
    return Self.seconds(since: start)
  }

  /// The seconds to begin, the bytes that it takes, and the seconds until a change is handled.
  func watched() async throws -> (start: Double, bytes: Double, change: Double) {
    releaseFreeMemory()
    let before = try memoryBytes("VmRSS:", of: getpid())
    let start = ContinuousClock.now
    try await watch(needsRealms: false)
    let begun = Self.seconds(since: start)
    releaseFreeMemory()
    let bytes = try memoryBytes("VmRSS:", of: getpid()) - before
    var times: [Double] = []
    for number in 0..<100 {
      let start = ContinuousClock.now
      try await write(1, to: paths[number * 7_919 % paths.count], number)
      await counter.wait(for: number + 1)
      times.append(Self.seconds(since: start))
    }
    return (begun, bytes, median(times))
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    let time = ContinuousClock.now - start
    return Double(time.components.seconds) + Double(time.components.attoseconds) * 1e-18
  }
}

/// The number of events that were handled.
private actor HandledCounter {
  private var count = 0
  private var waiter: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  func add() {
    count += 1
    guard let waiter, count >= waiter.count else { return }
    self.waiter = nil
    waiter.continuation.resume()
  }

  func wait(for wanted: Int) async {
    guard count < wanted else { return }
    await withCheckedContinuation { waiter = (wanted, $0) }
  }
}

private struct CountingHandler: NotificationHandler {
  let name = "bench"
  let needsRealms: Bool
  let counter: HandledCounter

  func shouldHandle(path: String) -> Bool { path.hasSuffix("/private") }
  func handleChange(_ details: ChangeDetails) async throws {
    consume(details.changes["Task"]?.insertions.count)
    await counter.add()
  }
}
