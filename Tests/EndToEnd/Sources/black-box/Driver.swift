import Foundation
import TestKit

/// Starts server and apps, injects faults, and checks the outcome.
final class Driver {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("black-box-\(UUID().uuidString)")
  private let proxy: Proxy
  private var random: SeededGenerator
  private let seconds: Double
  private var server: Child?
  var apps: [Child] = []
  /// The lines of processes that have ended.
  var said: [String] = []
  private var faults: [Fault: Int] = [:]

  init() throws {
    let environment = ProcessInfo.processInfo.environment
    random = SeededGenerator(seed: environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...9_999))
    seconds = environment["DURATION"].flatMap { Double($0) } ?? 30
    count = environment["CLIENTS"].flatMap { Int($0) } ?? 3
    proxy = try Proxy()
  }

  private let count: Int

  /// The faults, by the name that the outcome prints.
  private enum Fault: String {
    case serverKilled = "server killed"
    case appKilled = "app killed"
    case serverStopped = "server stopped"
    case appStopped = "app stopped"
    case connectionsCut = "connections cut"
    case networkStalled = "network stalled"
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  /// Runs apps and faults for the configured time.
  ///
  /// - Returns: whether no transaction was lost or applied twice, and all contents are equal.
  func run() throws -> Bool {
    defer { end() }
    try startServer()
    for number in 0..<count { apps.append(try startApp(number)) }
    for app in apps where app.line("acknowledged") == nil {
      throw Failure(description: "an app does not begin: \(app.lines.suffix(3))")
    }
    let deadline = Date().addingTimeInterval(seconds)
    while Date() < deadline { try injectFault() }
    return try settle()
  }

  /// Ends the editing, waits for all transfers, and checks the outcome.
  func settle() throws -> Bool {
    for app in apps { app.say("settle") }
    for (number, app) in apps.enumerated() where app.line("settled") == nil {
      throw Failure(description: "app \(number) cannot upload: \(app.lines.suffix(3))")
    }
    for app in apps { app.say("dump") }
    for (number, app) in apps.enumerated() where app.line("end") == nil {
      throw Failure(description: "app \(number) does not end: \(app.lines.suffix(3))")
    }
    return judge()
  }

  func startServer() throws {
    let server = try Child(["server", folder.appendingPathComponent("server").path])
    self.server = server
    guard let line = server.line("port"), let port = UInt16(line.dropFirst(5)) else {
      throw Failure(description: "the server does not start: \(server.lines)")
    }
    proxy.target = port
  }

  /// Starts an app.
  ///
  /// - Parameter device: the number of the folder to share with another process; nil for a folder of its own.
  func startApp(_ number: Int, on device: Int? = nil) throws -> Child {
    try Child([
      "app", folder.appendingPathComponent("app-\(device ?? number)").path, "http://127.0.0.1:\(proxy.port)",
      "app-\(number)", "ann",
    ])
  }

  func sleep(upTo milliseconds: Int) {
    Thread.sleep(forTimeInterval: Double(Int.random(in: 10...milliseconds, using: &random)) / 1_000)
  }

  /// Waits for up to 400 ms and injects a random fault.
  private func injectFault() throws {
    sleep(upTo: 400)
    let number = Int.random(in: 0..<apps.count, using: &random)
    let weights: [(weight: Int, value: Fault)] = [
      (3, .serverKilled), (4, .appKilled), (2, .serverStopped), (2, .appStopped), (4, .connectionsCut),
      (2, .networkStalled),
    ]
    let fault = random.pick(weights)
    faults[fault, default: 0] += 1
    switch fault {
    case .serverKilled:
      server?.kill()
      sleep(upTo: 200)
      try startServer()
    case .appKilled:
      apps[number].kill()
      said += apps[number].lines
      apps[number] = try startApp(number)
    case .serverStopped: pause(server)
    case .appStopped: pause(apps[number])
    case .connectionsCut: proxy.cut()
    case .networkStalled:
      proxy.isStalled = true
      sleep(upTo: 800)
      if random.oneIn(2) { proxy.cut() }
      proxy.isStalled = false
    }
  }

  private func pause(_ child: Child?) {
    child?.signal(SIGSTOP)
    sleep(upTo: 800)
    child?.signal(SIGCONT)
  }

  private func judge() -> Bool {
    let outcome = Outcome(said: said + apps.flatMap(\.lines), apps: apps.map(\.lines))
    let list = faults.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.rawValue) \($0.value)" }
    say("black-box: \(outcome.work); \(list.joined(separator: ", "))")
    say("black-box: \(outcome.faults)")
    return outcome.holds
  }

  func end() {
    for app in apps { app.kill() }
    server?.kill()
    try? FileManager.default.removeItem(at: folder)
  }
}
