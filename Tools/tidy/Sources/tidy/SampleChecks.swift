import Foundation

/// The Swift blocks of READMEs and documents compile against the packages as built.
///
/// A block that begins with an import is a whole program; each is type-checked on its own. Blocks without an
/// import are fragments and must not be marked as swift.
func checkSamples(_ repository: Repository, modules: URL) throws -> [Finding] {
  let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("openrealm-samples-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: scratch) }
  let maps = repository.paths.filter { $0.hasSuffix("/module.modulemap") }
  let clangTargets = try FileManager.default.contentsOfDirectory(atPath: modules.deletingLastPathComponent().path)
    .filter { $0.hasSuffix(".build") }
    .map { modules.deletingLastPathComponent().appendingPathComponent($0).appendingPathComponent("module.modulemap") }
    .filter { FileManager.default.fileExists(atPath: $0.path) }
  var found: [Finding] = []
  for sample in repository.paths.filter({ $0.hasSuffix(".md") }).flatMap({ samples(in: repository.text($0), path: $0) })
  {
    guard sample.code.contains("import ") else {
      found.append(
        Finding(
          path: sample.path, line: sample.line,
          message: "a swift sample begins with its imports; mark a fragment as text"))
      continue
    }
    let file = scratch.appendingPathComponent("main.swift")
    try sample.code.write(to: file, atomically: true, encoding: .utf8)
    var command = ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules.path]
    for map in maps { command += ["-Xcc", "-fmodule-map-file=" + repository.root.appendingPathComponent(map).path] }
    for map in clangTargets { command += ["-Xcc", "-fmodule-map-file=" + map.path] }
    do {
      try run(command + [file.path], in: repository.root)
    } catch let failure as CommandFailure {
      let reason =
        failure.output.split(separator: "\n").first { $0.contains("error:") } ?? Substring(failure.output.prefix(200))
      found.append(Finding(path: sample.path, line: sample.line, message: "sample does not compile: \(reason)"))
    }
  }
  return found
}

struct Sample {
  var path: String
  var line: Int
  var code: String
}

/// The ```swift blocks of a document.
func samples(in text: String, path: String) -> [Sample] {
  var result: [Sample] = []
  var current: Sample?
  for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    if var sample = current {
      if line.hasPrefix("```") {
        result.append(sample)
        current = nil
      } else {
        sample.code += line + "\n"
        current = sample
      }
    } else if line.hasPrefix("```swift") {
      current = Sample(path: path, line: index + 1, code: "")
    }
  }
  return result
}
