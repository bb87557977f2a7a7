import Foundation

// tidy: the repository's check over itself.
//
//   swift run tidy             all checks, and the samples of the documents when every package is built
//   swift run tidy --samples   only the samples; `make docs` builds first

let checks: [Check] = [
  topLevel, packageReadmes, documentLinks, drawnArrowsExist, forbiddenTraps, unfinishedBusiness, foreignWords,
  longFiles, commentsHaveSubjects, throwsAreDocumented, glossaryIsComplete, mutualFolders, manifestsAgree,
  layersPointDown, targetLayersPointDown,
]

/// Runs a check over its own canary: a small repository that is broken on purpose.
func canarySings(_ check: Check) throws -> Bool { try canarySings(check.canary, check.run) }

func canarySings(_ canary: [String: String], _ run: (Repository) throws -> [Finding]) throws -> Bool {
  let root = FileManager.default.temporaryDirectory.appendingPathComponent("openrealm-canary-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: root) }
  for (path, text) in canary {
    let url = root.appendingPathComponent(path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: url, atomically: true, encoding: .utf8)
  }
  return try !run(Repository(root: root, paths: Array(canary.keys))).isEmpty
}

func checkout() throws -> Repository {
  let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
  let top = try run(["git", "rev-parse", "--show-toplevel"], in: here).trimmingCharacters(in: .whitespacesAndNewlines)
  return try Repository(checkoutAt: URL(fileURLWithPath: top))
}

/// The folder of compiled modules of the build that this program belongs to.
func builtModules() -> URL {
  URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("Modules")
}

do {
  let repository = try checkout()
  var failures = 0
  let onlySamples = CommandLine.arguments.contains("--samples")
  if !onlySamples {
    for check in checks {
      guard try canarySings(check) else {
        print("tidy: check '\(check.name)' is silent about its canary: the check is broken")
        failures += 1
        continue
      }
      let findings = try check.run(repository)
      findings.forEach { print("tidy: \($0)") }
      failures += findings.count
    }
  }
  let modules = builtModules()
  let missing = repository.packages.filter {
    !FileManager.default.fileExists(atPath: modules.appendingPathComponent("\($0).swiftmodule").path)
  }
  if !missing.isEmpty && !onlySamples {
    print("tidy: samples of documents are left out, because \(missing[0]) is not built; 'make docs' checks them")
  } else {
    let fence = "```"
    let broken = ["README.md": "\(fence)swift\nimport Foundation\nlet number: Int = \"one\"\n\(fence)\n"]
    if try !canarySings(broken, { try checkSamples($0, modules: modules) }) {
      print("tidy: the check of samples is silent about its canary: the check is broken")
      failures += 1
    }
    let findings = try checkSamples(repository, modules: modules)
    findings.forEach { print("tidy: \($0)") }
    failures += findings.count
  }
  print(failures == 0 ? "tidy: \(repository.paths.count) files, all checks hold" : "tidy: \(failures) finding(s)")
  exit(failures == 0 ? 0 : 1)
} catch {
  FileHandle.standardError.write(Data("tidy: \(error)\n".utf8))
  exit(2)
}
