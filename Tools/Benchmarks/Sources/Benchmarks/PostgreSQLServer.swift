import Foundation

/// A PostgreSQL of this machine, started for one measurement in a folder of its own.
final class PostgreSQLServer {
  private let folder: URL
  private let programs: String
  /// Its first process; the others are its children.
  let process: Process
  let port: Int

  /// Starts it; connections succeed soon after.
  ///
  /// - Parameter options: settings of the server, such as `wal_level=logical`.
  /// - Throws: ``BenchmarkFailure`` with the reason when there is no PostgreSQL, or it does not start.
  init(_ options: [String] = []) throws {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    guard let version = versions.max(by: { (Int($0) ?? 0) < (Int($1) ?? 0) }) else {
      throw BenchmarkFailure("PostgreSQL is not installed")
    }
    programs = "/usr/lib/postgresql/\(version)/bin"
    folder = URL(fileURLWithPath: "/tmp/openrealm-bench-postgresql-\(getpid())")
    port = try Self.freePort()
    let data = folder.appendingPathComponent("data").path
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    try Self.asUser("\(programs)/initdb -D \(data) -U bench -A trust -E UTF8 --no-sync >\(folder.path)/log 2>&1")
    // The server is a child that nobody waits for: through pg_ctl it would keep the descriptor by which Process sees an end.
    process = try Self.start(
      "exec \(programs)/postgres -D \(data) -p \(port) -h 127.0.0.1 -k \(folder.path)"
        + options.map { " -c \($0)" }.joined() + " >>\(folder.path)/log 2>&1")
  }

  /// The parameters of a connection.
  var parameters: [String: String] {
    ["host": "127.0.0.1", "port": "\(port)", "user": "bench", "dbname": "postgres"]
  }

  /// A file that the server may write.
  var scratchFile: String { folder.appendingPathComponent("copied").path }

  func stop() {
    try? Self.asUser("\(programs)/pg_ctl -w -m immediate -D \(folder.path)/data stop >/dev/null")
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// A port that nobody listens on.
  static func freePort() throws -> Int {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard isBound else { throw BenchmarkFailure("no free port") }
    return Int(in_port_t(bigEndian: address.sin_port))
  }

  /// PostgreSQL does not run as root: then the user of its package does it.
  private static func asUser(_ command: String) throws {
    let process = try start(command)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw BenchmarkFailure("failed: \(command)") }
  }

  private static func start(_ command: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      (getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : []) + ["/bin/sh", "-c", "cd / && " + command]
    try process.run()
    return process
  }
}
