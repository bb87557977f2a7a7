import Foundation
import TestKit
import Testing

/// The public declarations of the modules that an app sees, as the compiler tells them.
struct PublicSymbols {
  /// Paths with argument labels, such as `Realm.write(withoutNotifying:_:)`.
  private var paths: Set<String> = []
  /// The same without argument labels.
  private var bases: Set<String> = []
  private var aliases: [String: String] = [:]
  /// The types that a type inherits from and conforms to.
  private var above: [String: Set<String>] = [:]

  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Kind: Decodable { var identifier: String }
      struct Identifier: Decodable { var precise: String }
      struct Fragment: Decodable { var spelling: String }
      var kind: Kind
      var identifier: Identifier
      var pathComponents: [String]
      var declarationFragments: [Fragment]?
    }
    struct Relationship: Decodable {
      var kind: String
      var source: String
      var target: String
    }
    var symbols: [Symbol]
    var relationships: [Relationship]
  }

  /// Reads the modules beside the tests with `swift symbolgraph-extract`.
  init(modules: [String], root: URL) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let products = URL(fileURLWithPath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
    for module in modules { try Self.extract(module, from: products, root, to: folder) }
    var names: [String: String] = [:]
    var relationships: [Graph.Relationship] = []
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let graph = try JSONDecoder().decode(Graph.self, from: try Data(contentsOf: file))
      relationships += graph.relationships
      for symbol in graph.symbols {
        let path = Self.normal(symbol.pathComponents.joined(separator: "."))
        names[symbol.identifier.precise] = path
        paths.insert(path)
        bases.insert(String(path.prefix { $0 != "(" }))
        guard symbol.kind.identifier == "swift.typealias" else { continue }
        let text = (symbol.declarationFragments ?? []).map(\.spelling).joined()
        if let match = text.firstMatch(of: /= *([A-Za-z0-9_.]+)/) { aliases[path] = String(match.output.1) }
      }
    }
    for one in relationships where one.kind == "conformsTo" || one.kind == "inheritsFrom" {
      if let source = names[one.source], let target = names[one.target] { above[source, default: []].insert(target) }
    }
  }

  private static func extract(_ module: String, from products: URL, _ root: URL, to folder: URL) throws {
    #if arch(arm64)
      let target = "aarch64-unknown-linux-gnu"
    #else
      let target = "x86_64-unknown-linux-gnu"
    #endif
    var words = [
      "swift", "symbolgraph-extract", "-module-name", module, "-I", products.appendingPathComponent("Modules").path,
      "-target", target, "-minimum-access-level", "public", "-output-dir", folder.path,
    ]
    let packages = root.appendingPathComponent("Packages")
    for name in try FileManager.default.contentsOfDirectory(atPath: packages.path) {
      let sources = packages.appendingPathComponent(name + "/Sources")
      for target in (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? [] {
        for below in ["/module.modulemap", "/include/module.modulemap"] {
          let map = sources.path + "/" + target + below
          if FileManager.default.fileExists(atPath: map) { words += ["-Xcc", "-fmodule-map-file=" + map] }
        }
      }
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: products.path) where name.hasSuffix(".build") {
      let map = products.path + "/" + name + "/module.modulemap"
      if FileManager.default.fileExists(atPath: map) { words += ["-Xcc", "-fmodule-map-file=" + map] }
    }
    let process = ChildProcess(), errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardError = errors
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    try #require(process.waitForEnd() == 0, "\(module): \(String(decoding: text, as: UTF8.self))")
  }

  /// Callers do not write the label of the isolation parameter.
  private static func normal(_ path: String) -> String { path.replacing("_isolation:", with: "") }

  /// Whether a type has a member, also by inheritance and conformance; without a type, whether there is a declaration.
  ///
  /// - Parameter member: with its argument labels; a name without parentheses stands for any.
  func has(_ member: String, in type: String) -> Bool {
    let owners = type.isEmpty ? [""] : all(type).map { $0 + "." }
    let member = Self.normal(member)
    return owners.contains { owner in
      paths.contains(owner + member) || (!member.contains("(") && bases.contains(owner + member))
        || resolved(owner + member).map { paths.contains($0) } == true
    }
  }

  /// A type with everything above it.
  private func all(_ type: String) -> Set<String> {
    var found: Set<String> = []
    var open = [type]
    while let next = open.popLast() {
      guard found.insert(next).inserted else { continue }
      open += above[next] ?? []
      if let other = aliases[next] ?? resolved(next) { open.append(other) }
    }
    return found
  }

  /// A path whose beginning is a typealias, with what that stands for.
  private func resolved(_ path: String) -> String? {
    let parts = path.split(separator: ".").map(String.init)
    for count in stride(from: parts.count - 1, to: 0, by: -1) {
      guard let other = aliases[parts[..<count].joined(separator: ".")] else { continue }
      return ([other] + parts[count...]).joined(separator: ".")
    }
    return nil
  }
}
