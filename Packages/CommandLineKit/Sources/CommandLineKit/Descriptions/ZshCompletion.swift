/// The completion script of a tool for zsh, with the help texts beside the words.
struct ZshCompletion {
  let tool: String
  let points: [CompletionPoint]

  init(_ tool: String, _ points: [CompletionPoint]) {
    (self.tool, self.points) = (tool, points)
  }

  var script: String {
    let function = Quoting.function(tool)
    return """
      #compdef \(tool)
      # Completion of \(tool) for zsh, made by '\(tool) --completions zsh'.
      \(function)() {
        local current=$words[CURRENT] at=\(Quoting.shell(tool)) option='' ended='' files='' word
        local -a found
        integer i count=0
        for ((i = 2; i < CURRENT; i++)); do
          word=$words[i]
          if [[ -n $option ]]; then
            option=''
          elif [[ -z $ended && $word == -?* ]]; then
            [[ $word != -- ]] || ended=1
            case "$at $word" in
      \(ShellCases.lines(ShellCases.valued(points), indent: 8, "option=$word"))
            esac
          else
            if [[ -z $ended ]] && ((count == 0)); then
              case "$at $word" in
      \(ShellCases.lines(ShellCases.subcommands(points), indent: 10, "at+=\" $word\"; continue"))
              esac
            fi
            ((count += 1))
          fi
        done
        if [[ -z $option && -z $ended && $current == --*=* ]]; then
          option=${current%%=*}
          compset -P '*='
        fi
        if [[ -n $option ]]; then
          case "$at $option" in
      \(values(points.flatMap(\.valuedOptions).map { (Quoting.shell($0.word), $0.values) }))
          esac
        elif [[ -z $ended && $current == -* ]]; then
          case "$at" in
      \(points.map(options).joined(separator: "\n"))
          esac
          _describe -o option found
          return
        else
          if [[ -z $ended ]] && ((count == 0)); then
            case "$at" in
      \(points.filter { !$0.command.subcommands.isEmpty }.map(commands).joined(separator: "\n"))
            esac
            ((${#found})) && _describe command found && found=()
          fi
          case "$at $count" in
      \(values(points.flatMap { $0.argumentPatterns(any: "*") }))
          esac
        fi
        ((${#found})) && compadd -a found
        [[ -z $files ]] || _files
      }
      if [[ $zsh_eval_context[-1] == loadautofunc ]]; then \(function) "$@"; else compdef \(function) \(tool); fi

      """
  }

  private func options(_ point: CompletionPoint) -> String {
    let entries = point.options.flatMap { option in
      CompletionPoint.words(of: option).map { described($0, option.help) }
    }
    return "      \(Quoting.shell(point.path))) found=(\(entries.joined(separator: " "))) ;;"
  }

  private func commands(_ point: CompletionPoint) -> String {
    let entries = point.command.subcommands.map { described($0.name, $0.summary) }
    return "      \(Quoting.shell(point.path))) found=(\(entries.joined(separator: " "))) ;;"
  }

  /// A word with its help, which a colon separates.
  private func described(_ word: String, _ help: String) -> String {
    Quoting.shell(word.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "\\:") + ":" + help)
  }

  private func values(_ entries: [(pattern: String, values: CompletionValues)]) -> String {
    ShellCases.groups(entries) { values in
      switch values {
      case .words(let words): "found=(\(words.map(Quoting.shell).joined(separator: " ")))"
      case .files: "files=1"
      case .nothing: nil
      }
    }
  }
}
