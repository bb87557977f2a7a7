import Foundation

/// The files of a checkout, as the checks see them: paths from the root, and contents on demand.
struct Repository {
  let root: URL
  /// Paths from the root, in order; what git ignores is left out.
  let paths: [String]

  init(root: URL, paths: [String]) {
    self.root = root
    self.paths = paths.sorted()
  }

  /// The checkout at `root`: the files git tracks or would track.
  init(checkoutAt root: URL) throws {
    let listing = try run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], in: root)
    let present = listing.split(separator: "\n").map(String.init).filter {
      FileManager.default.fileExists(atPath: root.appendingPathComponent($0).path)
    }
    self.init(root: root, paths: present)
  }

  func text(_ path: String) -> String {
    (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
  }

  func lines(_ path: String) -> [Substring] { text(path).split(separator: "\n", omittingEmptySubsequences: false) }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path) }

  /// Names of the folders under `Packages` that hold a manifest.
  var packages: [String] { manifests(under: "Packages") }

  /// Names of the folders under `Apps` that hold a manifest.
  var apps: [String] { manifests(under: "Apps") }

  private func manifests(under folder: String) -> [String] {
    paths.compactMap { path in
      let parts = path.split(separator: "/")
      return parts.count == 3 && parts[0] == folder && parts[2] == "Package.swift" ? String(parts[1]) : nil
    }
  }
}

/// One thing that a check found wrong.
struct Finding: CustomStringConvertible {
  var path: String
  var line: Int?
  var message: String
  var description: String { line.map { "\(path):\($0): \(message)" } ?? "\(path): \(message)" }
}

/// A check of the repository over itself, with a canary: files of a small broken repository in which it must find
/// something. A check that stays silent about its canary is broken.
struct Check: Sendable {
  var name: String
  var run: @Sendable (Repository) throws -> [Finding]
  var canary: [String: String]
}

struct CommandFailure: Error, CustomStringConvertible {
  var command: [String]
  var output: String
  var description: String { "\(command.joined(separator: " ")) failed:\n\(output)" }
}

/// Runs a program and returns its standard output.
@discardableResult
func run(_ command: [String], in folder: URL) throws -> String {
  let process = Process()
  let output = Pipe()
  let errors = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = command
  process.currentDirectoryURL = folder
  process.standardOutput = output
  process.standardError = errors
  let collected = Collected()
  errors.fileHandleForReading.readabilityHandler = { handle in collected.append(handle.availableData) }
  try process.run()
  let text = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  errors.fileHandleForReading.readabilityHandler = nil
  guard process.terminationStatus == 0 else {
    throw CommandFailure(command: command, output: String(decoding: text + collected.data, as: UTF8.self))
  }
  return String(decoding: text, as: UTF8.self)
}

/// Bytes gathered by a pipe's handler on its own queue.
// Sendable because every access holds the lock.
private final class Collected: @unchecked Sendable {
  private let lock = NSLock()
  private var bytes = Data()
  func append(_ more: Data) { lock.withLock { bytes.append(more) } }
  var data: Data { lock.withLock { bytes } }
}
