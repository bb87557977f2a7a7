/// The state of parsing one command line: a small machine that takes one word at a time.
struct CommandReading {
  private var commands: [Command]
  private var values: [String: [String]] = [:]
  private var words: [String] = []
  private var optionsEnded = false

  init(root: Command) { commands = [root] }

  private var command: Command { commands[commands.count - 1] }
  private var path: [String] { commands.map(\.name) }
  /// Innermost first, so that a subcommand may redefine an option.
  private var options: [CommandOption] { commands.reversed().flatMap(\.options) }

  /// Takes a word, and from `remaining` the value that belongs to it.
  mutating func take(
    _ word: String, _ remaining: inout ArraySlice<String>
  ) throws(UsageError) -> CommandParser.Outcome? {
    if optionsEnded || !looksLikeOption(word) { return try takePlain(word, remaining) }
    if word == "--" {
      optionsEnded = true
    } else if word.hasPrefix("--") {
      return try takeLong(word, &remaining)
    } else {
      return try takeShort(word, &remaining)
    }
    return nil
  }

  private func looksLikeOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return false }
    guard Double(word) != nil, let digit = word.dropFirst().first else { return true }
    return options.contains { $0.short == digit }
  }

  private mutating func takePlain(
    _ word: String, _ remaining: ArraySlice<String>
  ) throws(UsageError) -> CommandParser.Outcome? {
    guard words.isEmpty, !optionsEnded, !command.subcommands.isEmpty else {
      words.append(word)
      return nil
    }
    if let next = command.subcommands.first(where: { $0.name == word }) {
      commands.append(next)
    } else if word == "help" {
      return .help(path + remaining.filter { !$0.hasPrefix("-") })
    } else if command.arguments.isEmpty {
      let nearest = NearestWord.nearest(to: word, among: command.subcommands.map(\.name))
      throw error(.unknownCommand(word, nearest: nearest))
    } else {
      words.append(word)
    }
    return nil
  }

  private mutating func takeLong(
    _ word: String, _ remaining: inout ArraySlice<String>
  ) throws(UsageError) -> CommandParser.Outcome? {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    let value = parts.count == 2 ? String(parts[1]) : nil
    guard let option = options.first(where: { $0.name == name }) else {
      guard let outcome = try takeBuiltIn(name, value, &remaining) else { throw unknownOption("--" + name) }
      return outcome
    }
    try accept(option, as: "--" + name, value: value, &remaining)
    return nil
  }

  private func takeBuiltIn(
    _ name: String, _ value: String?, _ remaining: inout ArraySlice<String>
  ) throws(UsageError) -> CommandParser.Outcome? {
    switch name {
    case "help": return .help(path)
    case "version" where commands[0].version != nil: return .version
    case "manual" where commands.count == 1 && command.version != nil: return .manual
    case "completions" where commands.count == 1 && command.version != nil:
      guard let value = value ?? remaining.popFirst() else {
        throw error(.missingValue(option: "--completions", valueName: "SHELL"))
      }
      if let shell = CompletionShell(rawValue: value) { return .completions(shell) }
      let kind = ValueKind.choice(CompletionShell.allCases.map(\.rawValue))
      throw error(
        .invalidOption("--completions", value: value, expected: kind.expectation(violatedBy: value) ?? "a shell"))
    default: return nil
    }
  }

  private mutating func takeShort(
    _ word: String, _ remaining: inout ArraySlice<String>
  ) throws(UsageError) -> CommandParser.Outcome? {
    var cluster = word.dropFirst()
    while let letter = cluster.popFirst() {
      guard let option = options.first(where: { $0.short == letter }) else {
        if letter == "h" { return .help(path) }
        // A long option with one dash.
        let long = word.dropFirst().prefix { $0 != "=" }
        let isLong = options.contains { $0.name == long } || long == "help" || long == "version"
        throw isLong
          ? error(.unknownOption(word, nearest: "--\(long)")) : unknownOption("-\(letter)")
      }
      if option.isFlag, cluster.first != "=" {
        try accept(option, as: "-\(letter)", value: nil, &remaining)
      } else {
        if cluster.first == "=" { cluster.removeFirst() }
        try accept(option, as: "-\(letter)", value: cluster.isEmpty ? nil : String(cluster), &remaining)
        break
      }
    }
    return nil
  }

  private mutating func accept(
    _ option: CommandOption, as word: String, value: String?, _ remaining: inout ArraySlice<String>
  ) throws(UsageError) {
    if values[option.name] != nil, !option.repeats {
      if option.isFlag { return }
      throw error(.repeatedOption(word))
    }
    if option.isFlag {
      if let value { throw error(.unexpectedValue(option: word, value: value)) }
      values[option.name] = ["true"]
      return
    }
    guard let value = value ?? remaining.popFirst() else {
      throw error(.missingValue(option: word, valueName: option.valueName ?? "VALUE"))
    }
    if let expected = option.kind.expectation(violatedBy: value) {
      throw error(.invalidOption(word, value: value, expected: expected))
    }
    values[option.name, default: []].append(value)
  }

  private func error(_ reason: UsageError.Reason) -> UsageError { UsageError(path: path, reason: reason) }

  private func unknownOption(_ word: String) -> UsageError {
    let known = (options.filter { !$0.isHidden } + command.builtInOptions(isRoot: commands.count == 1)).map {
      "--" + $0.name
    }
    let nearest = word.hasPrefix("--") ? NearestWord.nearest(to: word, among: known) : nil
    return error(.unknownOption(word, nearest: nearest))
  }

  /// Fills in what the line left out and checks that nothing is missing.
  func finish(environment: [String: String]) throws(UsageError) -> Invocation {
    guard command.acts || command.subcommands.isEmpty else {
      throw error(.missingCommand(command.subcommands.map(\.name)))
    }
    var invocation = Invocation(path: path)
    invocation.declaredOptions = Set(options.map(\.name))
    invocation.declaredArguments = Set(command.arguments.map(\.name))
    for option in options where invocation.sources[option.name] == nil {
      if let given = values[option.name] {
        invocation.values[option.name] = given
        invocation.sources[option.name] = .commandLine
      } else if let variable = option.environment, let value = environment[variable], !value.isEmpty {
        if let expected = option.kind.expectation(violatedBy: value) {
          throw error(.invalidEnvironment(variable, value: value, expected: expected))
        }
        invocation.values[option.name] = [value]
        invocation.sources[option.name] = .environment
      } else if let value = option.defaultValue {
        invocation.values[option.name] = [value]
        invocation.sources[option.name] = .defaultValue
      }
    }
    try assignWords(to: &invocation)
    return invocation
  }

  private func assignWords(to invocation: inout Invocation) throws(UsageError) {
    var remaining = words[...]
    for argument in command.arguments {
      let taken: ArraySlice<String>
      switch argument.count {
      case .one, .optional:
        taken = remaining.prefix(1)
      case .any, .atLeastOne:
        taken = remaining
      }
      remaining = remaining.dropFirst(taken.count)
      if taken.isEmpty, argument.count == .one || argument.count == .atLeastOne {
        throw error(.missingArgument(argument.name))
      }
      for word in taken {
        if let expected = argument.kind.expectation(violatedBy: word) {
          throw error(.invalidArgument(argument.name, value: word, expected: expected))
        }
      }
      invocation.words[argument.name] = Array(taken)
    }
    if let extra = remaining.first { throw error(.unexpectedArgument(extra)) }
  }
}
