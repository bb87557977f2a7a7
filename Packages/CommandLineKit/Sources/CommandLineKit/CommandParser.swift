/// Turns words into an ``Invocation``, purely: the same words and environment always give the same outcome.
public struct CommandParser: Sendable {
  /// The request of a command line.
  public enum Outcome: Equatable, Sendable {
    /// Run the command at ``Invocation/path``.
    case run(Invocation)
    /// Print the help text of the command with these words (`--help`, `-h` or `help WORD`).
    case help([String])
    /// Print the version of the tool.
    case version
    /// Print the completion script for a shell.
    case completions(CompletionShell)
    /// Print the manual page of the tool.
    case manual
  }

  let root: Command
  let environment: [String: String]

  /// A parser of the command lines of a tool.
  public init(_ root: Command, environment: [String: String] = [:]) {
    self.root = root
    self.environment = environment
  }

  /// Parses the words after the name of the tool.
  ///
  /// Options may stand before, between and after arguments. `--` ends the options. A word such as `-5`
  /// is an argument unless the command has an option `-5`.
  ///
  /// - Throws: ``UsageError`` for the first mistake from the left; a missing argument or command comes last.
  public func parse(_ words: [String]) throws(UsageError) -> Outcome {
    var reading = CommandReading(root: root)
    var remaining = words[...]
    while let word = remaining.popFirst() {
      if let outcome = try reading.take(word, &remaining) { return outcome }
    }
    return .run(try reading.finish(environment: environment))
  }

  /// The command with these words, the first of which names the tool; nil if there is none.
  public func command(at path: [String]) -> Command? {
    var command = root
    for word in path.dropFirst() {
      guard let next = command.subcommands.first(where: { $0.name == word }) else { return nil }
      command = next
    }
    return command
  }
}
