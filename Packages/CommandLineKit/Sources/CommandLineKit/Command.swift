/// One command of a tool: what it accepts and what it does. A tool is a command with subcommands.
///
///     let hello = Command("hello", summary: "Greet a person.",
///                         options: [.value("port", kind: .integer(1...65535), help: "Port.")],
///                         arguments: [.one("name", help: "Who.")]) { invocation, console in
///       console.print("Hello, \(invocation.argument("name") ?? "")")
///     }
///     let code = hello.runSynchronously(["--port", "80", "Ann"])   // prints "Hello, Ann"; code == .success
///
/// Options of a command are also accepted after the name of each of its subcommands, so that
/// `todo --user ann add milk` and `todo add milk --user ann` mean the same.
public struct Command: Sendable {
  /// The action of a command: reads an ``Invocation`` and writes to a ``Console``.
  public typealias Action = @Sendable (Invocation, Console) throws -> Void
  /// The same for work that suspends, such as a server. Run it with ``run(_:environment:console:)``.
  public typealias AsyncAction = @Sendable (Invocation, Console) async throws -> Void

  /// The word that selects the command.
  public var name: String
  /// One sentence for the list of commands and the top of the help text.
  public var summary: String
  /// Further paragraphs of the help text, wrapped at 80 columns; lines that begin with a space stay as they are.
  public var discussion: String
  /// Options accepted here and by every subcommand.
  public var options: [CommandOption]
  /// Positional arguments, in order.
  public var arguments: [CommandArgument]
  /// The commands below this one.
  public var subcommands: [Command]
  /// The text of `--version`; nil where the option is not offered. Only that of the root counts.
  public var version: String?

  var action: Action?
  var asyncAction: AsyncAction?

  /// A command that only groups subcommands.
  ///
  /// Traps when two options, or two subcommands, of this command have the same name, because no
  /// command line could tell them apart.
  public init(
    _ name: String, summary: String, discussion: String = "", version: String? = nil,
    options: [CommandOption] = [], arguments: [CommandArgument] = [], subcommands: [Command] = []
  ) {
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.version = version
    self.options = options
    self.arguments = arguments
    self.subcommands = subcommands
    checkDeclaration()
  }

  /// A command that acts. With subcommands as well, it acts when none of them is named.
  public init(
    _ name: String, summary: String, discussion: String = "", version: String? = nil,
    options: [CommandOption] = [], arguments: [CommandArgument] = [], subcommands: [Command] = [],
    action: @escaping Action
  ) {
    self.init(
      name, summary: summary, discussion: discussion, version: version,
      options: options, arguments: arguments, subcommands: subcommands)
    self.action = action
  }

  /// A command whose action suspends.
  public init(
    _ name: String, summary: String, discussion: String = "", version: String? = nil,
    options: [CommandOption] = [], arguments: [CommandArgument] = [], subcommands: [Command] = [],
    asyncAction: @escaping AsyncAction
  ) {
    self.init(
      name, summary: summary, discussion: discussion, version: version,
      options: options, arguments: arguments, subcommands: subcommands)
    self.asyncAction = asyncAction
  }

  /// Whether the command does something itself, besides choosing a subcommand.
  public var acts: Bool { action != nil || asyncAction != nil }

  private func checkDeclaration() {
    let names = options.map(\.name)
    precondition(Set(names).count == names.count, "command '\(name)' declares an option twice")
    let words = subcommands.map(\.name)
    precondition(Set(words).count == words.count, "command '\(name)' declares a subcommand twice")
    precondition(
      arguments.dropLast().allSatisfy { $0.count == .one },
      "command '\(name)': only the last argument may be optional or repeated")
  }
}
