import Foundation
import PostgresClient
import Synchronization
import TestKit

/// A PostgreSQL of the system in a folder of its own, under a user that is not root, reached by a socket in that folder. What waits for
/// its processes does so on a thread of its own.
public final class PostgresServer: Sendable {
  /// The folder of the data and of the socket.
  public let folder: String
  private let connections: Int
  private let process = Mutex<ChildProcess?>(nil)
  /// Open for as long as the server is to run, where it ends with this process.
  private let lifeline = Mutex<Pipe?>(nil)

  /// The folder of the programs; nil when PostgreSQL is not installed. `POSTGRES_BIN` names another one.
  public static let programs: String? = {
    func holds(_ folder: String) -> Bool { FileManager.default.isExecutableFile(atPath: folder + "/initdb") }
    if let folder = ProcessInfo.processInfo.environment["POSTGRES_BIN"] { return holds(folder) ? folder : nil }
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return versions.compactMap { Int($0) }.sorted().reversed().map { "/usr/lib/postgresql/\($0)/bin" }.first(
      where: holds)
  }()

  /// Whether tests with a database run; under CI they do in any case, and fail where there is none.
  public static var isThere: Bool {
    guard programs == nil else { return true }
    print("PostgreSQL is not installed, so what stands on it is not tested: 'make deps' installs it")
    return ProcessInfo.processInfo.environment["CI"] == "true"
  }

  /// Makes a database and starts its server.
  ///
  /// - Throws: ``Failed`` when PostgreSQL is not installed, or a command of it fails.
  public init() async throws {
    folder = Self.newFolder()
    connections = 40
    try await onOwnThread { [self] in
      try make()
      try startBlocking()
    }
  }

  /// Makes a database and starts its server, on the calling thread. It ends with this process, however that ends.
  ///
  /// - Parameter connections: how many it takes at the same time.
  /// - Throws: as ``init()``.
  public init(connections: Int) throws {
    folder = Self.newFolder()
    self.connections = connections
    try make()
    try endWithProcess()
    try startBlocking()
  }

  /// A socket's path is short.
  private static func newFolder() -> String { "/tmp/pg-\(UUID().uuidString.prefix(8))" }

  /// Starts a shell that waits for the end of this process, which closes the pipe that the shell reads from.
  private func endWithProcess() throws {
    let script = """
      cat >/dev/null
      kill -KILL "$(head -n 1 "$0/data/postmaster.pid")"
      rm -rf "$0"
      """
    let shell = Self.process("/bin/sh", ["-c", script, folder])
    let pipe = Pipe()
    shell.standardInput = pipe
    try shell.run()
    lifeline.withLock { $0 = pipe }
  }

  private func make() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    if getuid() == 0 { try Self.finish(Self.process("/usr/bin/env", ["chown", "nobody", folder])) }
    try Self.finish(
      asUser([
        "initdb", "-D", folder + "/data", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
        "--no-sync",
      ]))
  }

  /// The parameters of libpq.
  public func parameters(_ database: String = "postgres") -> [String: String] {
    ["host": folder, "port": "5432", "user": "postgres", "dbname": database]
  }

  /// The address of a database, as libpq takes it.
  public func address(_ database: String = "postgres") -> String {
    "postgresql:///\(database)?host=\(folder)&port=5432&user=postgres"
  }

  /// Starts the server, and waits until it takes connections.
  ///
  /// - Throws: ``Failed`` when it does not start.
  public func start() async throws { try await onOwnThread { [self] in try startBlocking() } }

  private func startBlocking() throws {
    for attempt in 0... {
      let server = asUser([
        "postgres", "-D", folder + "/data", "-c", "wal_level=logical", "-c", "fsync=off", "-c", "listen_addresses=",
        "-c", "unix_socket_directories=\(folder)", "-c", "port=5432", "-c", "max_connections=\(connections)",
        "-c", "shared_buffers=16MB",
      ])
      try server.run()
      let end = ContinuousClock.now + .seconds(30)
      while server.isRunning, ContinuousClock.now < end {
        if (try? PostgresConnection(parameters())) != nil { return process.withLock { $0 = server } }
        Thread.sleep(forTimeInterval: 0.02)
      }
      // The processes of a server that was killed take a moment to end.
      guard attempt < 50 else { throw Failed(command: "postgres") }
      if server.isRunning { server.signal(SIGKILL) }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  /// Kills the server.
  public func kill() async {
    _ = try? await onOwnThread { [self] in
      process.withLock { server in
        guard let running = server else { return }
        running.signal(SIGKILL)
        running.waitForEnd()
        server = nil
      }
    }
  }

  /// Kills the server and removes the folder.
  public func remove() async {
    await kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func asUser(_ command: [String]) -> ChildProcess {
    let program = (Self.programs ?? "/usr/lib/postgresql") + "/" + command[0]
    let arguments = Array(command.dropFirst())
    // setpriv becomes the program, whose number is then that of the process.
    return getuid() == 0
      ? Self.process(
        "/usr/bin/env",
        ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "env", "HOME=\(folder)", program] + arguments
      )
      : Self.process(program, arguments)
  }

  private static func process(_ program: String, _ arguments: [String]) -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: "/tmp")
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  private static func finish(_ process: ChildProcess) throws {
    try process.run()
    guard process.waitForEnd() == 0 else { throw Failed(command: process.arguments?.joined(separator: " ") ?? "") }
  }

  /// A command that failed.
  public struct Failed: Error {
    /// The command with its arguments.
    public var command: String
  }
}
