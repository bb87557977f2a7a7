import Foundation

/// Comments have a subject: none begins with a relative pronoun or with a pronoun that stands for nothing.
let commentsHaveSubjects = Check(
  name: "comments",
  run: { repository in
    repository.paths.filter { $0.hasSuffix(".swift") && !$0.contains("/Vectors/") }.flatMap { path in
      repository.lines(path).enumerated().compactMap { number, line -> Finding? in
        guard line.contains("//"), let match = line.firstMatch(of: /^\s*\/\/\/? ?(What|Who|Whose|Whoever|Whatever)\b/)
        else { return nil }
        return Finding(
          path: path, line: number + 1,
          message: "a comment that begins with '\(match.output.1)' has no subject: say what the thing is")
      }
    }
  },
  canary: ["Packages/X/Sources/X/Bad.swift": "/// Wh" + "at waits.\nlet queue = 1\n"])

/// Public functions of products that throw say in their documentation which errors, and when.
let throwsAreDocumented = Check(
  name: "throws",
  run: { repository in
    repository.paths.filter {
      $0.hasSuffix(".swift") && $0.hasPrefix("Packages/") && $0.contains("/Sources/") && !$0.contains("TestSupport/")
    }.flatMap { path in
      let lines = repository.lines(path)
      return lines.indices.compactMap { index -> Finding? in
        guard lines[index].contains("public") || lines[index].contains("open"),
          lines[index].firstMatch(of: /^\s*(?:@\S+\s+)*(?:public|open)\b.*\b(?:func|init|subscript)\b/) != nil,
          throwsItself(signature(at: index, of: lines)), !documentation(above: index, of: lines).contains("Throws")
        else { return nil }
        return Finding(path: path, line: index + 1, message: "say with '- Throws:' which errors it throws, and when")
      }
    }
  },
  canary: ["Packages/X/Sources/X/Bad.swift": "/// Opens.\npublic func open() throws {}\n"])

/// The declaration that begins at a line, up to its body.
private func signature(at index: Int, of lines: [Substring]) -> String {
  var text = ""
  for line in lines[index...].prefix(8) {
    text += line + " "
    if line.contains("{") { break }
  }
  return String(text.prefix { $0 != "{" })
}

/// True when the function throws on its own account; `rethrows` and throwing parameters do not count.
private func throwsItself(_ signature: String) -> Bool {
  var depth = 0
  var rest = signature.drop { $0 != "(" }
  while let character = rest.popFirst() {
    if character == "(" { depth += 1 }
    if character == ")" { depth -= 1 }
    if depth == 0 { break }
  }
  return rest.prefix { $0 != ">" }.firstMatch(of: /^\s*(?:async\s+)?throws\b/) != nil
}

/// The comment and the attributes above a declaration.
private func documentation(above index: Int, of lines: [Substring]) -> String {
  var text = ""
  for line in lines[..<index].reversed() {
    let trimmed = line.drop { $0 == " " }
    guard trimmed.hasPrefix("//") || trimmed.hasPrefix("@") else { break }
    text = trimmed + "\n" + text
  }
  return text
}
