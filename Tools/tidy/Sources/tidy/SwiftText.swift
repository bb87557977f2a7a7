import Foundation

/// Swift source without its comments and string literals, so that a search meets code only.
func codeOnly(_ source: String) -> String {
  source.replacing(commentsAndStrings.pattern, with: " ")
}

/// Names of the types that a source file declares at its top level and that other files can see.
func topLevelTypes(_ code: String) -> Set<String> {
  var result: Set<String> = []
  for match in code.matches(of: declaration.pattern) where !match.output.1.contains("private") {
    result.insert(String(match.output.2))
  }
  return result
}

/// Names of the public and open types that a source file declares at its top level.
func publicTypes(_ code: String) -> Set<String> {
  var result: Set<String> = []
  for match in code.matches(of: declaration.pattern)
  where match.output.1.contains("public") || match.output.1.contains("open") {
    result.insert(String(match.output.2))
  }
  return result
}

/// Identifiers that begin with a capital letter: types, as far as a text can tell.
func capitalisedWords(_ code: String) -> Set<String> {
  Set(code.matches(of: word.pattern).map { String($0.output) })
}

/// A regular expression that is built once.
// @unchecked Sendable: an immutable Regex of literals, which holds no state between matches.
private struct Pattern<Output>: @unchecked Sendable {
  let pattern: Regex<Output>
}

private let commentsAndStrings = Pattern(
  pattern: /\/\/[^\n]*|(?s:\/\*.*?\*\/)|(?s:""".*?""")|"(?:\\.|[^"\\\n])*"/)

private let declaration = Pattern(
  pattern:
    /(?m)^(?:@[^\s]+\s+)*((?:(?:public|package|internal|fileprivate|private|final|indirect|open|nonisolated)\s+)*)(?:struct|class|enum|protocol|actor|typealias)\s+([A-Z]\w*)/
)

private let word = Pattern(pattern: /\b[A-Z]\w*/)
