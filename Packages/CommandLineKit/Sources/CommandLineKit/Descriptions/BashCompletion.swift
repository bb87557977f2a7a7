/// The completion script of a tool for bash 4 and later.
struct BashCompletion {
  let tool: String
  let points: [CompletionPoint]

  init(_ tool: String, _ points: [CompletionPoint]) {
    (self.tool, self.points) = (tool, points)
  }

  /// Bash gives `--port=80` as three words.
  var script: String {
    let function = Quoting.function(tool)
    return """
      # Completion of \(tool) for bash, made by '\(tool) --completions bash'.
      \(function)() {
        local current=${COMP_WORDS[COMP_CWORD]} at=\(Quoting.shell(tool)) option='' ended='' found='' files='' word
        local -i i count=0
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if [[ -n $option ]]; then
            [[ $word == = ]] || option=''
          elif [[ -z $ended && $word == -?* ]]; then
            [[ $word != -- ]] || ended=1
            case "$at $word" in
      \(ShellCases.lines(ShellCases.valued(points), indent: 8, "option=$word"))
            esac
          else
            if [[ -z $ended && $count == 0 ]]; then
              case "$at $word" in
      \(ShellCases.lines(ShellCases.subcommands(points), indent: 10, "at+=\" $word\"; continue"))
              esac
            fi
            count+=1
          fi
        done
        [[ -z $option || $current != = ]] || current=''
        if [[ -n $option ]]; then
          case "$at $option" in
      \(values(points.flatMap(\.valuedOptions).map { (Quoting.shell($0.word), $0.values) }))
          esac
        elif [[ -z $ended && $current == -* ]]; then
          case "$at" in
      \(words(points.map { ($0.path, $0.options.flatMap(CompletionPoint.words)) }))
          esac
        else
          if [[ -z $ended && $count == 0 ]]; then
            case "$at" in
      \(words(points.filter { !$0.command.subcommands.isEmpty }.map { ($0.path, $0.command.subcommands.map(\.name)) }))
            esac
          fi
          case "$at $count" in
      \(values(points.flatMap { $0.argumentPatterns(any: "*") }))
          esac
        fi
        COMPREPLY=($(compgen -W "$found" -- "$current"))
        if [[ -n $files && ${#COMPREPLY[@]} == 0 ]]; then compopt -o default; fi
      }
      complete -F \(function) \(tool)

      """
  }

  private func words(_ entries: [(path: String, words: [String])]) -> String {
    entries.map { "      \(Quoting.shell($0.path))) found=\(Quoting.shell($0.words.joined(separator: " "))) ;;" }
      .joined(separator: "\n")
  }

  private func values(_ entries: [(pattern: String, values: CompletionValues)]) -> String {
    ShellCases.groups(entries) { values in
      switch values {
      case .words(let words): "found+=\(Quoting.shell(" " + words.joined(separator: " ")))"
      case .files: "files=1"
      case .nothing: nil
      }
    }
  }
}

/// Branches of the `case` commands that bash and zsh have in common.
enum ShellCases {
  /// The options that take a value.
  static func valued(_ points: [CompletionPoint]) -> [String] {
    points.flatMap { $0.valuedOptions.map { Quoting.shell($0.word) } }
  }

  /// The commands below others.
  static func subcommands(_ points: [CompletionPoint]) -> [String] {
    points.dropFirst().map { Quoting.shell($0.path) }
  }

  /// One branch for many patterns; a branch that nothing meets where there are none.
  static func lines(_ patterns: [String], indent: Int, _ command: String) -> String {
    let margin = String(repeating: " ", count: indent)
    guard !patterns.isEmpty else { return margin + "'') ;;" }
    return margin + patterns.joined(separator: "|") + ") \(command) ;;"
  }

  /// A branch for all patterns of one command, in the order of the first of each; specific patterns stand first.
  static func groups(
    _ entries: [(pattern: String, values: CompletionValues)], _ command: (CompletionValues) -> String?
  ) -> String {
    var patterns: [(command: String, patterns: [String])] = []
    for entry in entries.filter({ !$0.pattern.hasSuffix("*") }) + entries.filter({ $0.pattern.hasSuffix("*") }) {
      guard let command = command(entry.values) else { continue }
      // Patterns for any number must stay behind those for one.
      let key = command + (entry.pattern.hasSuffix("*") ? " " : "")
      if let known = patterns.firstIndex(where: { $0.command == key }) {
        patterns[known].patterns.append(entry.pattern)
      } else {
        patterns.append((key, [entry.pattern]))
      }
    }
    guard !patterns.isEmpty else { return "      '') ;;" }
    return patterns.map { "      " + $0.patterns.joined(separator: "|") + ") \($0.command) ;;" }.joined(separator: "\n")
  }
}
