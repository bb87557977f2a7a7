extension Command {
  /// Parses the words after the name of the tool, runs the command they name, reports errors, and answers the
  /// exit code.
  ///
  ///     exit(await tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  ///
  /// Errors go to standard error: a ``UsageError`` gives exit code 2 and says how to get help, a
  /// ``CommandFailure`` its own code, any other error 1. With `--json` among the words they are one line of JSON,
  /// `{"error":{"code":…,"message":…,"remedy":…}}`, and so are notes.
  public func run(
    _ words: [String], environment: [String: String] = Environment.current, console: Console? = nil
  ) async -> ExitCode {
    let console = (console ?? .standard(environment: environment)).forPrograms(words)
    do {
      guard let (command, invocation) = try resolve(words, environment, console) else { return .success }
      if let action = command.asyncAction {
        try await action(invocation, console)
      } else {
        try command.action?(invocation, console)
      }
      return .success
    } catch {
      return report(error, to: console)
    }
  }

  /// The same on the calling thread, for tools none of whose actions suspends.
  ///
  /// Traps when the command that is named has a suspending action.
  public func runSynchronously(
    _ words: [String], environment: [String: String] = Environment.current, console: Console? = nil
  ) -> ExitCode {
    let console = (console ?? .standard(environment: environment)).forPrograms(words)
    do {
      guard let (command, invocation) = try resolve(words, environment, console) else { return .success }
      precondition(command.asyncAction == nil, "command '\(command.name)' suspends; run it with 'run'")
      try command.action?(invocation, console)
      return .success
    } catch {
      return report(error, to: console)
    }
  }

  private func resolve(
    _ words: [String], _ environment: [String: String], _ console: Console
  ) throws -> (Command, Invocation)? {
    let parser = CommandParser(self, environment: environment)
    switch try parser.parse(words) {
    case .help(let path):
      console.write(ConsoleText(lines: HelpText(self, path: path).text, indent: 0))
    case .version:
      console.print("\(name) \(version ?? "")")
    case .completions(let shell): console.write(exactly: shell.script(for: self))
    case .manual: console.write(exactly: ManualPage(self).text)
    case .run(let invocation):
      guard let command = parser.command(at: invocation.path) else { return nil }
      return (command, invocation)
    }
    return nil
  }

  private func report(_ error: any Error, to console: Console) -> ExitCode {
    let report = ErrorReport(error)
    report.print(to: console)
    return report.exitCode
  }
}
