import Foundation

/// Links between documents and to sources that lead nowhere.
let documentLinks = Check(
  name: "document links",
  run: { repository in
    let expression = try NSRegularExpression(pattern: #"\]\(([^)#\s]+)(#[^)]*)?\)"#)
    var found: [Finding] = []
    for path in repository.paths where path.hasSuffix(".md") {
      let folder = (path as NSString).deletingLastPathComponent
      for (number, line) in proseLines(of: repository.text(path)) {
        for match in expression.matches(in: line, range: NSRange(line.startIndex..., in: line)) {
          guard let range = Range(match.range(at: 1), in: line) else { continue }
          let link = String(line[range])
          if link.contains("://") || link.hasPrefix("mailto:") { continue }
          let target = (folder as NSString).appendingPathComponent(link)
          if !repository.exists((target as NSString).standardizingPath) {
            found.append(Finding(path: path, line: number, message: "link to '\(link)', which does not exist"))
          }
        }
      }
    }
    return found
  },
  canary: ["Docs/Bad.md": "[there](Nowhere.md)\n"])

/// Every package says what it is.
let packageReadmes = Check(
  name: "package READMEs",
  run: { repository in
    let paths = Set(repository.paths)
    return repository.packages.filter { !paths.contains("Packages/\($0)/README.md") }.map {
      Finding(path: "Packages/\($0)", line: nil, message: "a package says what it is in a README.md")
    }
  },
  canary: ["Packages/X/Package.swift": "\n"])

/// Numbered lines outside of code blocks.
private func proseLines(of text: String) -> [(Int, String)] {
  var inCode = false
  var result: [(Int, String)] = []
  for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    if line.hasPrefix("```") {
      inCode.toggle()
    } else if !inCode {
      result.append((index + 1, String(line)))
    }
  }
  return result
}

/// Arrows that documents draw between modules exist in the root manifest.
///
/// An arrow is written `A ──▶ B` or `A ──▶ B, C`; it counts when both ends are targets of the manifest.
let drawnArrowsExist = Check(
  name: "arrows",
  run: { repository in
    var dependencies: [String: String] = [:]
    for match in repository.text("Package.swift").matches(
      of: /\.(?:executableT|t)arget\(\s*name: "([^"]+)"(?:,\s*dependencies: \[([^\]]*)\])?/)
    {
      dependencies[String(match.output.1)] = String(match.output.2 ?? "")
    }
    var found: [Finding] = []
    for path in repository.paths where path.hasSuffix(".md") && repository.text(path).contains("──▶") {
      for (number, line) in repository.lines(path).enumerated() {
        for match in String(line).matches(of: /(\w+) ──▶ (\w+(?:, \w+)*)/) {
          guard let reached = dependencies[String(match.output.1)] else { continue }
          for target in match.output.2.split(separator: ", ").map(String.init)
          where dependencies[target] != nil && !reached.contains("\"\(target)\"") {
            found.append(
              Finding(
                path: path, line: number + 1, message: "'\(match.output.1)' does not depend on '\(target)'"))
          }
        }
      }
    }
    return found
  },
  canary: [
    "Docs/Bad.md": "A ──▶ B\n", "Package.swift": ".target(name: \"A\"), .target(name: \"B\"),\n",
  ])
