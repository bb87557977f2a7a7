import Foundation
import TestKit

/// A program that was built beside the tests, as a process that may be killed and started again.
///
/// Work that waits for the process runs on a thread of its own.
// @unchecked Sendable: one task at a time uses it.
final class Program: @unchecked Sendable {
  private let name: String
  private let arguments: [String]
  private let environment: [String: String]
  private(set) var process = ChildProcess()

  init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) {
    (self.name, self.arguments, self.environment) = (name, arguments, environment)
  }

  private func make(_ more: [String]) -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = ToolProcess.executable(name)
    process.arguments = arguments + more
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardError = FileHandle.nullDevice
    return process
  }

  /// Starts it, and does not wait.
  func start() throws {
    process = make([])
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  /// Starts it and waits for its first line.
  func startAndRead() async throws -> String {
    process = make([])
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return try await onOwnThread {
      var text = ""
      while !text.contains("\n") {
        let data = output.fileHandleForReading.availableData
        guard !data.isEmpty else { throw Ended(text: text) }
        text += String(decoding: data, as: UTF8.self)
      }
      return text
    }
  }

  /// Runs it to its end with some input.
  func run(_ more: [String], input: String) async throws -> Int32 {
    let process = make(more)
    let pipe = Pipe()
    process.standardInput = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    pipe.fileHandleForWriting.write(Data(input.utf8))
    try pipe.fileHandleForWriting.close()
    return try await onOwnThread { process.waitForEnd() }
  }

  /// Whether it has not ended.
  var isRunning: Bool { process.isRunning }

  /// Kills it.
  func kill() async throws {
    let process = process
    killAtOnce()
    _ = try await onOwnThread { process.waitForEnd() }
  }

  /// Kills it, and does not wait.
  func killAtOnce() {
    process.signal(SIGKILL)
  }

  struct Ended: Error { var text: String }
}
