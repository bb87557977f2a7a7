import Foundation
import TestKit
import Testing
import Transport

/// A real server process over a data directory.
final class ServerProcess {
  let process = ChildProcess()
  let port: Int
  /// The line that says where the server listens.
  let firstLine: String
  /// Everything that was read of its standard output.
  private(set) var said: String
  private let output = Pipe()

  /// The tool, built beside the tests.
  static let executable: URL = {
    let folder = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    for candidate in [folder, Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent()] {
      let tool = candidate.appendingPathComponent("realm-object-server")
      if FileManager.default.isExecutableFile(atPath: tool.path) { return tool }
    }
    return folder.appendingPathComponent("realm-object-server")
  }()

  /// Starts a server and waits until it listens.
  ///
  /// - Parameters:
  ///   - log: the level, and the file that the log goes to.
  ///   - environment: variables beside those of this process.
  init(
    data: String, arguments: [String] = ["--port", "0"], log: (level: String, file: String)? = nil,
    environment: [String: String] = [:]
  ) throws {
    process.executableURL = Self.executable
    // Tests have short passwords, and users of their own.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["REALM_OBJECT_SERVER_MINIMUM_PASSWORD": "1", "REALM_OBJECT_SERVER_NO_FIRST_ADMINISTRATOR": "true"]
    ) { $1 }.merging(environment) { $1 }
    process.arguments = arguments + ["--data", data, "--log-level", log?.level ?? "warn"]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    if let log {
      _ = FileManager.default.createFile(atPath: log.file, contents: nil)
      process.standardError = FileHandle(forWritingAtPath: log.file) ?? FileHandle.nullDevice
    }
    try process.run()
    var text = ""
    while !text.contains("\n") {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the server ended before it listened: \(text)")
      text += String(decoding: data, as: UTF8.self)
    }
    firstLine = text
    said = text
    let url = try #require(text.firstMatch(of: /https?:..[^,"]*:([0-9]+)/), "the first line tells the port: \(text)")
    port = try #require(Int(url.output.1), "the first line tells the port: \(text)")
  }

  /// Runs the tool to its end.
  ///
  /// - Parameter environment: variables beside those of this process.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    let process = ChildProcess(), output = Pipe(), errors = Pipe(), pipe = Pipe()
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = pipe
    try process.run()
    pipe.fileHandleForWriting.write(Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let complaint = errors.fileHandleForReading.readDataToEndOfFile()
    return (
      process.waitForEnd(), String(decoding: text, as: UTF8.self), String(decoding: complaint, as: UTF8.self)
    )
  }

  /// Reads standard output until it says some words.
  func wait(for words: String) throws {
    while !said.contains(words) {
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the server ended before it said \(words)")
      said += String(decoding: data, as: UTF8.self)
    }
  }

  /// Starts the tool with nothing on its standard input.
  ///
  /// - Parameter closesOutput: whether nobody reads its standard output.
  static func begin(
    _ arguments: [String], input: String = "", closesOutput: Bool = false
  ) throws -> (process: ChildProcess, errors: Pipe) {
    let process = ChildProcess(), output = Pipe(), errors = Pipe(), pipe = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = closesOutput ? output : FileHandle.nullDevice
    process.standardError = errors
    process.standardInput = pipe
    try process.run()
    if closesOutput { try output.fileHandleForReading.close() }
    pipe.fileHandleForWriting.write(Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    return (process, errors)
  }

  func kill() {
    process.signal(SIGKILL)
    process.waitForEnd()
  }

  /// Asks it to stop.
  ///
  /// - Returns: its exit status.
  func stop(_ signal: Int32 = SIGTERM) -> Int32 {
    process.signal(signal)
    return process.waitForEnd()
  }

  static func temporaryFolder() -> String { NSTemporaryDirectory() + "openrealm-server-" + UUID().uuidString }
}
