import CommandLineKit
import ObjectServer
import Permissions

/// Access to whole realms: which rule decides; also while a server runs.
enum PermissionsCommand {
  static let command = Command(
    "permissions", summary: "Tell what a user may do with a realm, and which rule decides.", subcommands: [explain])

  private static let explain = Command(
    "explain", summary: "Tell whether a user may read, write or manage a realm, and which rule decides.",
    discussion: """
      Works on the data directory, also while a server runs on it, and changes nothing. The first line is the answer; the \
      lines after it are the rules in their order, the one that decides with '*'.

        realm-object-server permissions explain /1234/todo --user bob --access write
      """,
    options: [
      .value("user", valueName: "NAME", help: "The name that the user logs in with, or the id."),
      .value(
        "access", valueName: "LEVEL", kind: .choice(["read", "write", "manage"]), help: "What is asked about.",
        defaultValue: "read"),
    ],
    arguments: [.one("realm", help: "The path of the realm; ~ is the user.")]
  ) { invocation, console in
    guard let user = invocation.text("user") else {
      throw UsageError(invocation, "no user is named; add '--user NAME'")
    }
    try ServeCommand.reporting {
      let explanation = try ServeCommand.data(invocation).explainAccess(
        at: invocation.argument("realm") ?? "", forUser: user,
        wants: invocation.text("access").flatMap { AccessLevel(name: $0) } ?? .read,
        rules: try ServeCommand.accounts(invocation).rules)
      guard !invocation.flag("json") else { return console.print(json: json(explanation)) }
      for line in "\(explanation)".split(separator: "\n") { console.print("\(line)") }
    }
  }

  private static func json(_ explanation: AccessExplanation) -> JSONOutput {
    .object([
      ("path", .text(explanation.path)), ("wanted", .text(explanation.wanted)), ("level", .text(explanation.level)),
      ("allowed", .boolean(explanation.isAllowed)), ("sentence", .text(explanation.sentence)),
      (
        "steps",
        .array(explanation.steps.map { .object([("text", .text($0.text)), ("decides", .boolean($0.decides))]) })
      ),
    ])
  }
}
