import Foundation
import Synchronization

struct BenchmarkFailure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A value that one thread produces once and another waits for.
final class Handover<Value: Sendable>: Sendable {
  private let slot = Mutex<Result<Value, any Error>?>(nil)
  private let ready = DispatchSemaphore(value: 0)

  func set(_ result: Result<Value, any Error>) {
    slot.withLock { $0 = result }
    ready.signal()
  }

  func wait(seconds: Double = 20) throws -> Value {
    guard ready.wait(timeout: .now() + seconds) == .success, let result = slot.withLock({ $0 }) else {
      throw BenchmarkFailure("nothing happened for \(seconds) s")
    }
    return try result.get()
  }
}

/// A child whose output is read line by line.
class LineProcess {
  let process = Process()
  private let lines: FileHandle
  private var buffer = Data()

  init(_ executable: URL, _ arguments: [String]) throws {
    let pipe = Pipe()
    lines = pipe.fileHandleForReading
    process.executableURL = executable
    process.arguments = arguments
    process.standardOutput = pipe
    guard FileManager.default.isExecutableFile(atPath: executable.path) else {
      throw BenchmarkFailure("\(executable.path) is missing; build it first (make bench does)")
    }
    try process.run()
  }

  /// The next line; blocks until there is one.
  func line() throws -> String {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[buffer.startIndex..<end], as: UTF8.self)
        buffer.removeSubrange(buffer.startIndex...end)
        return line
      }
      let more = lines.availableData
      guard !more.isEmpty else {
        throw BenchmarkFailure("\(process.executableURL?.lastPathComponent ?? "child") ended early")
      }
      buffer.append(more)
    }
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Programs built beside this one.
  static func sibling(_ name: String) -> URL {
    URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent(
      name)
  }
}

/// A server process on a port, by itself a free one.
final class ServerProcess: LineProcess {
  private(set) var port = 0

  init(data: URL, port: Int = 0, options: [String] = []) throws {
    try super.init(
      LineProcess.sibling("realm-object-server"),
      ["--port", "\(port)", "--data", data.path, "--log-level", "error"] + options)
    let words = try line().split { !$0.isNumber }
    guard let port = words.compactMap({ Int($0) }).first(where: { $0 > 1_000 }) else {
      throw BenchmarkFailure("the server did not say its port")
    }
    self.port = port
  }
}

/// A second process of this program, in the role of the listener.
final class ChildListener: LineProcess {
  init(port: Int, data: URL, byQueries: Bool = false) throws {
    try super.init(
      LineProcess.sibling("Benchmarks"), [byQueries ? "--listen-by-queries" : "--listen", "\(port)", data.path])
    guard try line() == "ready" else { throw BenchmarkFailure("the listening process is not ready") }
  }

  /// The time on the shared clock at which the other process saw the round.
  @discardableResult
  func waitFor(round: Int) throws -> Double {
    while true {
      let words = try line().split(separator: " ")
      guard words.count == 2, let seen = Int(words[0]), let time = Double(words[1]) else { continue }
      if seen >= round { return time }
    }
  }
}
