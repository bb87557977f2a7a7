import Foundation

/// Calls that end the process on a condition that data, files or peers can bring about.
let forbiddenTraps = Check(
  name: "traps",
  run: { repository in
    let patterns: [(String, String)] = [
      (#"\btry!"#, "try! traps on any error; throw it on"),
      (#"\bfatalError\("#, "fatalError ends the process; throw, or use precondition for a programmer's error"),
      (#"\bas! "#, "as! traps on another type; bind it with as? and decide"),
      (#"\.(first|last)!"#, "a forced first or last traps on an empty collection"),
    ]
    return try findings(in: repository, where: isProductSource, patterns: patterns)
  },
  canary: ["Packages/X/Sources/X/Bad.swift": "let a = try! open()\n"])

/// Work that was left unfinished.
let unfinishedBusiness = Check(
  name: "unfinished",
  run: { repository in
    let words = [
      "TO" + "DO", "FIX" + "ME", "XX" + "X", "unimple" + "mented", "not imple" + "mented", "for n" + "ow",
      "place" + "holder",
    ]
    let pattern = #"\b("# + words.joined(separator: "|") + #")\b"#
    return try findings(
      in: repository, where: { $0.hasSuffix(".swift") || $0 == "Makefile" },
      patterns: [(pattern, "unfinished business belongs in an issue, not in the code")])
  },
  canary: ["Packages/X/Sources/X/Bad.swift": "// TO" + "DO later\n"])

/// Words that make sense only on the machine where something was written.
let foreignWords = Check(
  name: "foreign words",
  run: { repository in
    let pattern = #"(/[w]ork/|[.][.]/[s]hared|/[f]arm/|/tmp/[b]rief)"#
    return try findings(in: repository, where: { _ in true }, patterns: [(pattern, "a path of one machine")])
  },
  canary: ["Docs/Bad.md": "see /" + "work/here\n"])

/// Files that nobody reads to the end.
let longFiles = Check(
  name: "long files",
  run: { repository in
    repository.paths.filter { $0.hasSuffix(".swift") }.compactMap { path in
      let count = repository.lines(path).count
      return count > 520
        ? Finding(path: path, line: nil, message: "\(count) lines: split it by operation or type") : nil
    }
  },
  canary: ["Packages/X/Sources/X/Bad.swift": String(repeating: "\n", count: 600)])

/// Nothing but the agreed names at the top level.
let topLevel = Check(
  name: "top level",
  run: { repository in
    let allowed: Set<String> = [
      "Packages", "Apps", "Tests", "Tools", "Docs", "Makefile", "README.md", "Package.swift", "CHANGELOG.md",
      "CONTRIBUTING.md", "LICENSE", "SECURITY.md", ".ci",
      ".gitignore", ".swift-format",
    ]
    let names = Set(repository.paths.compactMap { $0.split(separator: "/").first.map(String.init) })
    return names.subtracting(allowed).sorted().map {
      Finding(path: $0, line: nil, message: "the top level holds only \(allowed.sorted().joined(separator: " "))")
    }
  },
  canary: ["notes.txt": "\n"])

private func isProductSource(_ path: String) -> Bool {
  path.hasSuffix(".swift") && path.contains("/Sources/") && (path.hasPrefix("Packages/") || path.hasPrefix("Apps/"))
}

private func findings(
  in repository: Repository, where included: (String) -> Bool, patterns: [(String, String)]
) throws -> [Finding] {
  let expressions = try patterns.map { (try NSRegularExpression(pattern: $0.0), $0.1) }
  var found: [Finding] = []
  for path in repository.paths where included(path) {
    for (number, line) in repository.lines(path).enumerated() {
      let text = String(line)
      for (expression, message) in expressions
      where expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil {
        found.append(Finding(path: path, line: number + 1, message: message))
      }
    }
  }
  return found
}
