import Foundation
import Synchronization

/// A process of this program in another role, with the lines that it printed.
final class Child: Sendable {
  private struct State {
    var pending = Data()
    var lines: [String] = []
  }
  private let process: Process
  private let input = Pipe()
  private let state = Mutex(State())
  /// Signalled at the end of the process's output.
  private let ended = DispatchSemaphore(value: 0)

  init(_ arguments: [String]) throws {
    process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    output.fileHandleForReading.readabilityHandler = { [weak self] handle in
      let data = handle.availableData
      self?.received(data)
      guard data.isEmpty else { return }
      handle.readabilityHandler = nil
      self?.ended.signal()
    }
    try process.run()
  }

  private func received(_ data: Data) {
    state.withLock { state in
      state.pending += data
      while let end = state.pending.firstIndex(of: 10) {
        state.lines.append(String(decoding: state.pending[state.pending.startIndex..<end], as: UTF8.self))
        state.pending = Data(state.pending[(end + 1)...])
      }
    }
  }

  var lines: [String] { state.withLock { $0.lines } }
  var isRunning: Bool { process.isRunning }

  func say(_ line: String) { try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

  /// Waits for a line with this beginning; nil when the process ends without one, or after ten minutes.
  func line(_ beginning: String) -> String? {
    let end = Date().addingTimeInterval(600)
    while Date() < end {
      if let line = lines.first(where: { $0.hasPrefix(beginning) }) { return line }
      if !isRunning { break }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return lines.first { $0.hasPrefix(beginning) }
  }

  func signal(_ number: Int32) { if process.isRunning { Foundation.kill(process.processIdentifier, number) } }

  /// Kills the process, and reads its output to the end.
  func kill() {
    signal(SIGKILL)
    process.waitUntilExit()
    _ = ended.wait(timeout: .now() + 60)
  }
}
