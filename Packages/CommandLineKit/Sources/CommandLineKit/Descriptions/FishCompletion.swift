/// The completion script of a tool for fish 3 and later, with the help texts beside the words.
struct FishCompletion {
  let tool: Command
  let points: [CompletionPoint]

  init(_ tool: Command, _ points: [CompletionPoint]) {
    (self.tool, self.points) = (tool, points)
  }

  private var function: String { "__fish" + Quoting.function(tool.name) }

  var script: String {
    let valued = points.flatMap { $0.valuedOptions.map { Quoting.fish($0.word) } }
    let subcommands = points.dropFirst().map { Quoting.fish($0.path) }
    return """
      # Completion of \(tool.name) for fish, made by '\(tool.name) --completions fish'.
      # The command that the line names so far, and the number of arguments after it.
      function \(function)_state
          set -l at \(Quoting.fish(tool.name))
          set -l option ''
          set -l ended ''
          set -l count 0
          set -l words (commandline -opc)
          set -e words[1]
          for word in $words
              if test -n "$option"
                  set option ''
              else if test -z "$ended"; and string match -q -- '-?*' "$word"
                  test "$word" = --; and set ended 1
                  contains -- "$at $word" \(valued.joined(separator: " ")); and set option "$word"
              else
                  if test -z "$ended" -a $count -eq 0; and contains -- "$at $word" \(subcommands.joined(separator: " "))
                      set at "$at $word"
                      continue
                  end
                  set count (math $count + 1)
              end
          end
          printf '%s\\n' $at $count
      end
      # Whether the line names a command or one below it.
      function \(function)_under
          set -l state (\(function)_state)
          test "$state[1]" = "$argv[1]"; or string match -q -- "$argv[1] *" "$state[1]"
      end
      # Whether the line names a command, with a number of arguments; at least so many where a third word follows.
      function \(function)_at
          set -l state (\(function)_state)
          test "$state[1]" = "$argv[1]"; or return 1
          if test (count $argv) -gt 2
              test $state[2] -ge $argv[2]
          else
              test $state[2] -eq $argv[2]
          end
      end
      complete -c \(tool.name) -f
      \(points.flatMap(lines).joined(separator: "\n"))

      """
  }

  private func lines(_ point: CompletionPoint) -> [String] {
    let isRoot = point.command.name == point.path
    let own = point.command.options.filter { !$0.isHidden } + (isRoot ? point.command.builtInOptions(isRoot: true) : [])
    return own.map { option(Self.isForRootAlone($0, isRoot) ? "at" : "under", point, $0) }
      + point.command.subcommands.map { command in
        line("at", point.path, "0", "-a \(Quoting.fish(command.name)) -d \(Quoting.fish(command.summary))")
      }
      + point.command.arguments.enumerated().compactMap { position, argument in
        let number = "\(position)" + (argument.count == .one || argument.count == .optional ? "" : " more")
        return Self.values(argument.kind).map { line("at", point.path, number, $0) }
      }
  }

  /// Whether an option of every tool is accepted before the first command only.
  private static func isForRootAlone(_ option: CommandOption, _ isRoot: Bool) -> Bool {
    isRoot && ["version", "completions", "manual"].contains(option.name)
  }

  private func option(_ condition: String, _ point: CompletionPoint, _ option: CommandOption) -> String {
    var words = "-l \(option.name)"
    if let short = option.short { words += " -s \(short)" }
    if !option.isFlag { words += " -r " + (Self.values(option.kind) ?? "-f") }
    return line(condition, point.path, condition == "at" ? "0" : nil, words + " -d \(Quoting.fish(option.help))")
  }

  private func line(_ condition: String, _ path: String, _ number: String?, _ words: String) -> String {
    let test = "\(function)_\(condition) \"\(path)\"" + (number.map { " " + $0 } ?? "")
    return "complete -c \(tool.name) -n \(Quoting.fish(test)) \(words)"
  }

  private static func values(_ kind: ValueKind) -> String? {
    switch CompletionValues(kind) {
    case .words(let words): "-f -a \(Quoting.fish(words.joined(separator: " ")))"
    case .files: "-F"
    case .nothing: nil
    }
  }
}
