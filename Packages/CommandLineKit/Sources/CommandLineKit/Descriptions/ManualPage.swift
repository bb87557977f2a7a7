/// The manual page of a tool in the macros of `man`, from the descriptions of its commands.
///
///     tool --manual | man -l -
///
/// The page says what the help texts say, all commands together, and lists the environment variables of the options.
public struct ManualPage: Sendable {
  let tool: Command

  /// The page of a tool.
  public init(_ tool: Command) { self.tool = tool }

  /// The page, ending with a line break. The same tool always gives the same page: it has no date.
  public var text: String {
    let name = tool.name
    let source = "OpenRealm" + (tool.version.map { " " + $0 } ?? "")
    var lines = [
      ".TH \(Self.quoted(name.uppercased())) 1 \"\" \(Self.quoted(source)) \"User Commands\"",
      ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(Self.withoutStop(tool.summary)))", ".SH SYNOPSIS",
    ]
    lines += usage(HelpText(tool, path: [name]))
    lines += [".SH DESCRIPTION"] + Self.paragraphs(tool.discussion.isEmpty ? tool.summary : tool.discussion)
    lines += arguments(tool)
    lines += [".SH OPTIONS"] + options(tool, isRoot: true)
    if !tool.subcommands.isEmpty {
      lines.append(".SH COMMANDS")
      lines += tool.subcommands.flatMap { commands($0, path: [name]) }
    }
    lines += environment() + exitStatus()
    return lines.joined(separator: "\n") + "\n"
  }

  private func commands(_ command: Command, path: [String]) -> [String] {
    let path = path + [command.name]
    let usage = HelpText(tool, path: path)
    return [".SS \(Self.quoted(path.dropFirst().joined(separator: " ")))"] + self.usage(usage) + [".PP"]
      + Self.paragraphs(command.summary)
      + (command.discussion.isEmpty ? [] : [".PP"] + Self.paragraphs(command.discussion))
      + arguments(command) + options(command, isRoot: false)
      + command.subcommands.flatMap { commands($0, path: path) }
  }

  private func usage(_ text: HelpText) -> [String] {
    [".B " + Self.escaped(text.words)]
      + (text.parameters.isEmpty ? [] : [Self.escaped(text.parameters.joined(separator: " "))])
  }

  private func arguments(_ command: Command) -> [String] {
    command.arguments.flatMap { argument in
      [".TP", ".I " + Self.escaped(argument.name.uppercased())]
        + [Self.escaped(HelpText.notes(argument.help, argument.kind))]
    }
  }

  private func options(_ command: Command, isRoot: Bool) -> [String] {
    let built = isRoot ? command.builtInOptions(isRoot: true) : []
    return (command.options.filter { !$0.isHidden } + built).flatMap { option in
      let words = CompletionPoint.words(of: option).map { "\\fB\(Self.escaped($0))\\fR" }.joined(separator: ", ")
      let value = option.valueName.map { " \\fI\(Self.escaped($0))\\fR" } ?? ""
      return [".TP", words + value, Self.escaped(HelpText.notes(option))]
    }
  }

  private func environment() -> [String] {
    var names: [String: String] = [:]
    for point in CompletionPoint.all(of: tool) {
      for option in point.options {
        if let variable = option.environment { names[variable] = "--" + option.name }
      }
    }
    guard !names.isEmpty else { return [] }
    return [".SH ENVIRONMENT"]
      + names.sorted { $0.key < $1.key }.flatMap {
        [".TP", ".B " + Self.escaped($0.key), "Sets \(Self.escaped($0.value))."]
      }
  }

  private func exitStatus() -> [String] {
    [
      ".SH EXIT STATUS", ".TP", ".B 0", "Done.", ".TP", ".B 1", "It could not be done.", ".TP", ".B 2",
      "The command line was not understood.",
    ]
  }

  /// The paragraphs of a text; lines that begin with a space are examples and stay as they are.
  private static func paragraphs(_ text: String) -> [String] {
    var lines: [String] = []
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let begins = line.hasPrefix(" ")
      if begins != isExample, begins || !line.isEmpty {
        lines += begins ? [".PP", ".nf", ".RS"] : [".RE", ".fi", ".PP"]
        isExample = begins
      }
      if line.isEmpty {
        if !isExample, !lines.isEmpty, lines.last != ".PP" { lines.append(".PP") }
      } else {
        lines.append(escaped(isExample ? line.drop { $0 == " " } : line))
      }
    }
    if isExample { lines += [".RE", ".fi"] }
    if lines.last == ".PP" { lines.removeLast() }
    return lines
  }

  private static func withoutStop(_ sentence: String) -> String {
    sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }

  private static func quoted(_ text: some StringProtocol) -> String {
    "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq") + "\""
  }

  /// A text in which nothing means a command: no escape, no request at the start of a line.
  static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
