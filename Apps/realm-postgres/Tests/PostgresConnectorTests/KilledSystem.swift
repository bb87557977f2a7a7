import Foundation
import PostgresClient
import PostgresClientTestSupport
import Synchronization
import TestKit

/// A database, a process `realm-postgres`, and devices.
final class KilledSystem: @unchecked Sendable {
  let database: PostgresServer
  let devices: [KilledDevice]
  let folder: URL
  let isWriting = Atomic<Bool>(true)
  let counters = Mutex((statements: 0, transactions: 0))
  private let port: Int
  private let server: Mutex<ChildProcess?>

  /// The program beside the tests, or that of `REALM_POSTGRES`, such as one of a release build; nil when it is not built.
  static let program: String? = {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["REALM_POSTGRES"] ?? folder + "/realm-postgres"
    return FileManager.default.isExecutableFile(atPath: path) ? path : nil
  }()

  init(devices count: Int) async throws {
    database = try await PostgresServer()
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("kills-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = Self.freePort()
    let settings = """
      name = "kills"
      [postgres]
      host = "\(database.folder)"
      port = 5432
      user = "postgres"
      database = "postgres"
      [realm]
      path = "/{owner}/items"
      [log]
      level = "info"
      file = "\(folder.path)/log"
      [class.KilledItem]
      primary-key = "id"
      id = "int"
      title = "string?"
      amount = "int"
      tags = "string[]"
      parent = "KilledItem"
      """
    try Data(settings.utf8).write(to: folder.appendingPathComponent("connector.toml"))
    let process = Self.process(folder, port)
    try process.run()
    server = Mutex(process)
    var devices: [KilledDevice] = []
    for number in 0..<count { devices.append(try await KilledDevice(number, port: port, folder: folder)) }
    self.devices = devices
    let database = database
    try await eventually {
      (try? Self.connect(database).query("SELECT 1 FROM \"KilledItem\"").count) == count
    }
  }

  private static func freePort() -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(descriptor, $0, length)
        _ = getsockname(descriptor, $0, &length)
      }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  // MARK: Processes

  private static func process(_ folder: URL, _ port: Int) -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: program ?? "")
    process.arguments = [
      "--config", folder.appendingPathComponent("connector.toml").path, "--data",
      folder.appendingPathComponent("data").path, "--port", "\(port)",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// Does to the system what kills do.
  func inject(_ fault: KillFault) async throws {
    switch fault {
    case .server:
      try await killServer()
      try await onOwnThread { [self] in
        let process = Self.process(folder, port)
        try process.run()
        server.withLock { $0 = process }
      }
    case .database:
      await database.kill()
      try await database.start()
    case .connections:
      // The connector is between two starts, or the database is.
      _ = try? connect().query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'realm-postgres%'")
    }
  }

  private func killServer() async throws {
    try await onOwnThread { [self] in
      server.withLock { process in
        guard let running = process else { return }
        running.signal(SIGKILL)
        running.waitForEnd()
        process = nil
      }
    }
  }

  func end() async {
    for device in devices { device.end() }
    try? await killServer()
    await database.remove()
    try? FileManager.default.removeItem(at: folder)
  }

  func connect() throws -> PostgresConnection { try Self.connect(database) }

  private static func connect(_ database: PostgresServer) throws -> PostgresConnection {
    let connection = try PostgresConnection(database.parameters())
    try connection.query("SET client_min_messages = error")
    return connection
  }
}

/// A fault of the system.
enum KillFault: String, CaseIterable {
  /// The process of the server and the connector is killed, and started again.
  case server
  /// The database is killed with all its processes, and started again.
  case database
  /// The database ends the connector's connections.
  case connections
}
