import Foundation
import ServerClusterTestSupport
import TestKit
import Testing

/// Real processes, sockets and disks under SIGKILL, SIGSTOP and cut connections; `make black-box` does it for longer.
struct BlackBoxTests {
  @Test(
    "of a server and apps that are killed, stopped and cut off, nothing is lost, nothing applied twice, all are equal")
  func faults() throws {
    let (status, text) = try Self.run([])
    #expect(status == 0, "\(text)")
    #expect(text.contains("acknowledged and lost 0, made and lost 0, applied twice 0, all 2 equal"), "\(text)")
  }

  @Test(
    "of two processes on one file, the one that syncs it is killed, and the other takes over; nothing lost or doubled")
  func takeover() throws {
    let (status, text) = try Self.run(["takeover"])
    #expect(status == 0, "\(text)")
    #expect(text.contains("acknowledged and lost 0, made and lost 0, applied twice 0, all 2 equal"), "\(text)")
  }

  private static func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent()
    }
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let folders = [bundle, own, Bundle.main.bundleURL].compactMap { $0 }
    let program = try #require(
      folders.map { $0.appendingPathComponent("black-box") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) })
    let process = ChildProcess()
    process.executableURL = program
    process.arguments = arguments
    var environment = ProcessInfo.processInfo.environment
    environment["DURATION"] = environment["DURATION"] ?? "6"
    environment["SEED"] = environment["SEED"] ?? "1"
    environment["CLIENTS"] = "2"
    let data = FileManager.default.temporaryDirectory.appendingPathComponent("black-box-data-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: data) }
    environment["STORAGE"] = try TestStorage.address(of: data.path)
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return (process.waitForEnd(), text)
  }
}
