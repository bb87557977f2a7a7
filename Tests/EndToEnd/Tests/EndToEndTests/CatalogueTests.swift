import Foundation
import ServerClusterTestSupport
import TestKit
import Testing

/// The sample at size, over a small index of packages.
@Suite(.serialized)
struct CatalogueTests {
  @Test("two devices load, change and query a catalogue, and end equal", .timeLimit(.minutes(45)))
  func catalogue() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }.map {
      URL(fileURLWithPath: $0).deletingLastPathComponent()
    }
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let folder = try #require(
      [bundle, own, Bundle.main.bundleURL].compactMap { $0 }.first {
        FileManager.default.isExecutableFile(atPath: $0.appendingPathComponent("package-catalogue").path)
      })
    let index = FileManager.default.temporaryDirectory.appendingPathComponent("index-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: index) }
    // Every package depends on the first two.
    let stanzas = (0..<60).map { number in
      "Package: package-\(number)\nVersion: 1.\(number)\nInstalled-Size: \(number)\nSection: "
        + "\(["libs", "editors", "shells", "utils"][number % 4])\nDepends: package-0 (>= 1), package-4 | other\n"
        + "Description: number \(number)\n"
    }
    try Data(stanzas.joined(separator: "\n").utf8).write(to: index)
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["bash", root.appendingPathComponent("Tools/scripts/catalogue.sh").path]
    var settings = ["BIN": folder.path, "INDEX": index.path]
    let data = FileManager.default.temporaryDirectory.appendingPathComponent("catalogue-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: data) }
    if let address = try TestStorage.address(of: data.path) {
      settings["REALM_OBJECT_SERVER_STORAGE"] = address
      settings["REALM_OBJECT_SERVER_NODE"] = "server"
      settings["REALM_OBJECT_SERVER_NODE_ADDRESS"] = "http://127.0.0.1:1"
    }
    process.environment = ProcessInfo.processInfo.environment.merging(settings) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.waitForEnd() == 0, "\(text)")
    #expect(text.contains("60 packages read and uploaded"), "\(text)")
    let lines = text.split(separator: "\n")
    for name in ["package-0", "package-4"] {
      #expect(lines.contains { $0.hasPrefix(name) && $0.hasSuffix("60") }, "\(text)")
    }
  }
}
