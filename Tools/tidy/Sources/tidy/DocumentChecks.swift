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
