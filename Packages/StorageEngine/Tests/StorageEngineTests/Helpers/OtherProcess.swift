import Foundation
import TestKit

/// A running `StorageExerciser`, which ends with this object.
final class OtherProcess {
  private let process = ChildProcess()
  private let input = Pipe()
  private let output = Pipe()
  private var pending = Data()

  /// - Parameter key: encrypts the store with 64 such bytes.
  init(_ arguments: String..., key: UInt8? = nil, environment: [String: String] = [:]) throws {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    process.executableURL = Self.folders(folder).map { $0.appendingPathComponent("StorageExerciser") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    process.arguments = arguments
    var added = environment
    if let key { added["KEY"] = "\(key)" }
    process.environment = ProcessInfo.processInfo.environment.merging(added) { $1 }
    process.standardInput = input
    process.standardOutput = output
    try process.run()
  }

  // Its siblings hold copies of its pipe, so that it would not see an end of its input.
  deinit { process.signal(SIGKILL) }

  /// The folder of built executables: beside the test bundle.
  private static func folders(_ own: URL) -> [URL] {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent()
    }
    return [bundle, own, Bundle.main.bundleURL].compactMap { $0 }
  }

  /// The next line of output; nil at its end.
  func line() -> String? {
    while true {
      if let end = pending.firstIndex(of: 10) {
        let line = String(decoding: pending[pending.startIndex..<end], as: UTF8.self)
        pending = Data(pending[(end + 1)...])
        return line
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      pending += more
    }
  }

  func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  /// The exit code.
  func end() -> Int32 { process.waitForEnd() }

  /// Ends the process without giving it a chance to clean up.
  func kill() {
    process.signal(SIGKILL)
    process.waitForEnd()
  }
}
