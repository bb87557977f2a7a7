import CommandLineKit
import Synchronization

/// A tool with one of everything, for the tests.
enum Tool {
  static func make(action: @escaping Command.Action = { _, _ in }) -> Command {
    Command(
      "tool", summary: "Keep things.", version: "1.2",
      options: [
        .value(
          "port", short: "p", kind: .integer(1...65535), help: "Port.", environment: "TOOL_PORT", defaultValue: "9080"),
        .value("user", short: "u", help: "User."),
        .flag("verbose", short: "v", help: "Say more.", environment: "TOOL_VERBOSE"),
        .value("tag", kind: .choice(["red", "green"]), help: "Tag.", repeats: true),
      ],
      subcommands: [
        Command("add", summary: "Add.", arguments: [.many("word", help: "Words.")], action: action),
        Command(
          "move", summary: "Move.", options: [.flag("force", short: "f", help: "Do it.")],
          arguments: [.one("from", kind: .integer(1...Int.max), help: "From."), .optional("to", help: "To.")],
          action: action),
        Command("fail", summary: "Fail.") { _, _ in
          throw CommandFailure("cannot open the store", remedy: "check the path", cause: Cause())
        },
        Command("later", summary: "Suspend.", asyncAction: { _, console in console.print("later") }),
      ])
  }

  struct Cause: Error, CustomStringConvertible { var description: String { "no such file" } }
}

/// Collects what a tool prints.
final class Capture: Sendable {
  private let texts = Mutex((output: "", errors: ""))
  var output: String { texts.withLock { $0.output } }
  var errors: String { texts.withLock { $0.errors } }

  func console(columns: Int? = nil, hasColour: Bool = false) -> Console {
    Console(
      output: { text in self.texts.withLock { $0.output += text } },
      errors: { text in self.texts.withLock { $0.errors += text } },
      columns: columns, hasColour: hasColour)
  }
}
