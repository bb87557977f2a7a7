/// One command of a tool with everything that may follow its name.
struct CompletionPoint {
  /// The words that lead to the command, the first of which is the name of the tool, joined by spaces.
  let path: String
  let command: Command
  /// Visible options of the command and of those above it, innermost first; each name once.
  let options: [CommandOption]

  /// The points of a tool, each before those below it.
  static func all(of tool: Command) -> [CompletionPoint] { all(below: tool, path: [], inherited: []) }

  private static func all(below command: Command, path: [String], inherited: [CommandOption]) -> [CompletionPoint] {
    let path = path + [command.name]
    let own = command.options.filter { !$0.isHidden }
    let names = Set(command.options.map(\.name))
    let options = own + inherited.filter { !names.contains($0.name) }
    let point = CompletionPoint(
      path: path.joined(separator: " "), command: command,
      options: options + command.builtInOptions(isRoot: path.count == 1))
    return [point] + command.subcommands.flatMap { all(below: $0, path: path, inherited: options) }
  }

  /// The words by which an option may be given.
  static func words(of option: CommandOption) -> [String] {
    (option.short.map { ["-\($0)"] } ?? []) + ["--" + option.name]
  }

  /// Paths and options that take a value, such as `tool add --port`.
  var valuedOptions: [(word: String, values: CompletionValues)] {
    options.filter { !$0.isFlag }.flatMap { option in
      Self.words(of: option).map { ("\(path) \($0)", CompletionValues(option.kind)) }
    }
  }

  /// The path and number of each positional argument, as a pattern of a shell's `case`.
  ///
  /// - Parameter any: a pattern that any number matches.
  func argumentPatterns(any: String) -> [(pattern: String, values: CompletionValues)] {
    command.arguments.enumerated().map { position, argument in
      let repeats = argument.count == .any || argument.count == .atLeastOne
      return (
        repeats ? "\(Quoting.shell(path + " "))\(any)" : Quoting.shell("\(path) \(position)"), .init(argument.kind)
      )
    }
  }
}

/// The words that may stand as the value of an option or an argument.
enum CompletionValues: Equatable {
  case words([String])
  case files
  case nothing

  init(_ kind: ValueKind) {
    switch kind {
    case .choice(let words): self = .words(words)
    case .boolean: self = .words(["yes", "no"])
    case .text, .path: self = .files
    case .nonEmptyText, .integer, .number: self = .nothing
    }
  }
}

/// Texts as literals of other languages.
enum Quoting {
  /// A text in single quotes, for bash and zsh.
  static func shell(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }

  /// A text in single quotes, for fish.
  static func fish(_ text: String) -> String {
    var quoted = ""
    for character in text {
      if character == "'" || character == "\\" { quoted += "\\" }
      quoted.append(character)
    }
    return "'" + quoted + "'"
  }

  /// The name of a tool as a part of the name of a function.
  static func function(_ tool: String) -> String {
    "_" + String(tool.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
  }
}
