import TextWidth

/// The help text of a command, wrapped at 80 columns.
public struct HelpText: Sendable {
  let path: [Command]
  let columns: Int

  /// The help text of the command with these words, the first of which names the tool. Words that lead
  /// nowhere are ignored.
  public init(_ root: Command, path words: [String], columns: Int = 80) {
    var path = [root]
    for word in words.dropFirst() {
      guard let next = path[path.count - 1].subcommands.first(where: { $0.name == word }) else { break }
      path.append(next)
    }
    self.path = path
    self.columns = max(40, columns)
  }

  private var command: Command { path[path.count - 1] }

  /// The line that shows what may follow the command.
  public var usage: String { (["usage:", words] + parameters).joined(separator: " ") }

  /// The words that lead to the command.
  var words: String { path.map(\.name).joined(separator: " ") }

  /// The parts of the usage line after the command.
  var parameters: [String] {
    var parts: [String] = []
    if path.contains(where: { !$0.options.isEmpty }) { parts.append("[OPTIONS]") }
    if !command.subcommands.isEmpty { parts.append(command.acts ? "[COMMAND]" : "COMMAND") }
    return parts + command.arguments.map(\.usage)
  }

  /// The whole text, ending with a line break.
  public var text: String {
    var sections = [usage, TextWrapping.wrap(command.summary, columns: columns)]
    if !command.discussion.isEmpty { sections.append(discussion) }
    sections.append(section("Arguments", command.arguments.map { ($0.name.uppercased(), $0.help) }))
    sections.append(section("Commands", command.subcommands.map { ($0.name, $0.summary) }))
    let options = visible(command.options) + command.builtInOptions(isRoot: path.count == 1)
    sections.append(section("Options", options.map(entry)))
    let inherited = path.dropLast().flatMap { visible($0.options) }
    sections.append(section("Options of every command", inherited.map(entry)))
    return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private func visible(_ options: [CommandOption]) -> [CommandOption] { options.filter { !$0.isHidden } }

  private var discussion: String {
    var paragraphs: [String] = []
    var open: [Substring] = []
    func close() {
      if !open.isEmpty { paragraphs.append(TextWrapping.wrap(open.joined(separator: " "), columns: columns)) }
      open = []
    }
    for line in command.discussion.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(" ") || line.isEmpty {
        close()
        paragraphs.append(String(line))
      } else {
        open.append(line)
      }
    }
    close()
    return paragraphs.joined(separator: "\n")
  }

  private func entry(_ option: CommandOption) -> (String, String) {
    let short = option.short.map { "-\($0), " } ?? "    "
    let value = option.valueName.map { " \($0)" } ?? ""
    return ("\(short)--\(option.name)\(value)", Self.notes(option))
  }

  /// The help of an option with its values, its default and its variable.
  static func notes(_ option: CommandOption) -> String {
    notes(
      option.help, option.kind,
      [option.defaultValue.map { "default: \($0)" }, option.environment.map { "environment: \($0)" }].compactMap { $0 })
  }

  /// The help of an option or argument with its values.
  static func notes(_ help: String, _ kind: ValueKind, _ more: [String] = []) -> String {
    var notes = more
    if case .choice(let words) = kind { notes.insert("one of " + words.joined(separator: ", "), at: 0) }
    return notes.isEmpty ? help : help + " (\(notes.joined(separator: "; ")))"
  }

  private func section(_ title: String, _ entries: [(name: String, help: String)]) -> String {
    guard !entries.isEmpty else { return "" }
    let widest = entries.map { $0.name.displayWidth }.filter { $0 <= 26 }.max() ?? 0
    let indent = widest + 4
    let lines = entries.map { entry in
      let help = TextWrapping.lines(of: entry.help, columns: columns - indent)
      let margin = String(repeating: " ", count: indent)
      let name = "  " + entry.name
      guard name.displayWidth + 2 <= indent else {
        return ([name] + help.map { margin + $0 }).joined(separator: "\n")
      }
      let first = name.padded(to: indent) + (help.first ?? "")
      return ([first] + help.dropFirst().map { margin + $0 }).joined(separator: "\n")
    }
    return ([title + ":"] + lines).joined(separator: "\n")
  }
}
