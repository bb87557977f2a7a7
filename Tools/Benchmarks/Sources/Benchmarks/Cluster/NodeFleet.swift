import Foundation

/// Nodes of a cluster as programs of this machine, over a PostgreSQL of their own.
final class NodeFleet {
  let postgres: PostgreSQLServer
  private let folder: URL
  private let lease: Int
  private var servers: [String: ServerProcess] = [:]
  private var ports: [String: Int] = [:]

  /// Starts nodes a, b, …
  ///
  /// - Parameter lease: seconds.
  init(_ count: Int, lease: Int = 10, in folder: URL) throws {
    self.folder = folder
    self.lease = lease
    postgres = try PostgreSQLServer()
    let connects = { (parameters: [String: String]) in
      LineProcess.succeeds(
        "/usr/bin/env",
        ["psql", "-h", "127.0.0.1", "-p", parameters["port"] ?? "", "-U", "bench", "-c", "SELECT 1", "postgres"])
    }
    for _ in 0..<100 where !connects(postgres.parameters) { usleep(100_000) }
    for name in Self.names.prefix(count) { try start(name) }
  }

  private static let names = ["a", "b", "c"]

  /// The setting `storage` of the nodes.
  var storage: String { "postgresql://bench@127.0.0.1:\(postgres.port)/postgres" }

  /// The ports of the nodes that run, in the order of their names.
  var livePorts: [Int] { Self.names.compactMap { servers[$0]?.port } }

  func port(_ name: String) throws -> Int {
    guard let port = servers[name]?.port else { throw BenchmarkFailure("node \(name) does not run") }
    return port
  }

  /// Starts a node, for the first time or again.
  func start(_ name: String) throws {
    let port = try ports[name] ?? PostgreSQLServer.freePort()
    ports[name] = port
    servers[name] = try ServerProcess(
      data: folder.appendingPathComponent(name), port: port,
      options: [
        "--storage", storage, "--node", name, "--node-address", "http://127.0.0.1:\(port)", "--lease-seconds",
        "\(lease)",
        "--connection-rate", "1000000", "--account-rate", "1000000",
      ])
  }

  func identifier(_ name: String) throws -> Int32 {
    guard let server = servers[name] else { throw BenchmarkFailure("node \(name) does not run") }
    return server.process.processIdentifier
  }

  /// Ends a node with SIGKILL.
  func kill(_ name: String) throws {
    Foundation.kill(try identifier(name), SIGKILL)
    servers.removeValue(forKey: name)?.process.waitUntilExit()
  }

  /// Wants a realm to be at a node.
  func move(_ path: String, to name: String) throws {
    let program = LineProcess.sibling("realm-object-server").path
    guard LineProcess.succeeds(program, ["cluster", "move", path, name, "--storage", storage]) else {
      throw BenchmarkFailure("\(path) cannot be moved to \(name)")
    }
  }

  /// Processor seconds of the nodes and of PostgreSQL so far.
  func processorSeconds() throws -> Double {
    let roots = servers.values.map(\.process.processIdentifier) + [postgres.process.processIdentifier]
    return try ProcessTimes().seconds(of: roots)
  }

  func stop() {
    for server in servers.values { server.stop() }
    postgres.stop()
  }
}

/// The processor times of all processes of the machine at one moment.
private struct ProcessTimes {
  private var times: [Int32: (parent: Int32, ticks: Double)] = [:]

  init() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
      guard let process = Int32(name), let line = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        let end = line.lastIndex(of: ")")
      else { continue }
      // State, parent, …; user and system time are the 12th and 13th, those of children that ended the next two.
      let words = line[line.index(after: end)...].split(separator: " ")
      guard words.count > 14, let parent = Int32(words[1]) else { continue }
      times[process] = (parent, words[11...14].reduce(0) { $0 + (Double($1) ?? 0) })
    }
  }

  /// The time of some processes with their descendants.
  func seconds(of roots: [Int32]) -> Double {
    var wanted = Set(roots)
    while true {
      let more = times.filter { wanted.contains($0.value.parent) && !wanted.contains($0.key) }
      if more.isEmpty { break }
      wanted.formUnion(more.keys)
    }
    return wanted.reduce(0) { $0 + (times[$1]?.ticks ?? 0) } / Double(sysconf(Int32(_SC_CLK_TCK)))
  }
}

extension LineProcess {
  /// Whether a program that runs to its end succeeds.
  static func succeeds(_ program: String, _ arguments: [String]) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
