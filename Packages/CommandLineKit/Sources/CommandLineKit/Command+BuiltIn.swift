extension Command {
  /// The options that every command, or every tool with a version, has besides its own.
  func builtInOptions(isRoot: Bool) -> [CommandOption] {
    let help = CommandOption.flag("help", short: "h", help: "Print this text.")
    guard isRoot, version != nil else { return [help] }
    return [
      help, .flag("version", help: "Print the version."),
      .value(
        "completions", valueName: "SHELL", kind: .choice(CompletionShell.allCases.map(\.rawValue)),
        help: "Print the script by which a shell completes command lines."),
      .flag("manual", help: "Print the manual page: --manual | man -l -"),
    ]
  }
}
