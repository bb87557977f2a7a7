import CommandLineKit
import ObjectServer
import Permissions

/// The reason why an object is on a user's devices, or is not; also while a server runs.
enum ExplainCommand {
  static let command = Command(
    "explain", summary: "Tell whether an object is on a user's devices, and what decides.",
    discussion: """
      Works on the data directory, also while a server runs on it, and changes nothing. The first line is the answer; the \
      lines after it are the facts in the order in which the server looks at them, those that decide with '*'.

        realm-object-server explain /default Room secret --user bob
      """,
    options: [
      .value("user", valueName: "NAME", help: "The name that the user logs in with, or the id."),
      .value(
        "device", valueName: "N", kind: .integer(1...Int.max), help: "One device: the number of its client file."),
    ],
    arguments: [
      .one("realm", help: "The path of the realm; ~ is the user."), .one("class", help: "The class of the object."),
      .optional("key", help: "The primary key; null unless given. {2, 5} where the class has none."),
    ]
  ) { invocation, console in
    guard let user = invocation.text("user") else {
      throw UsageError(invocation, "no user is named; add '--user NAME'")
    }
    try ServeCommand.reporting {
      let explanation = try ServeCommand.data(invocation).explain(
        className: invocation.argument("class") ?? "", key: invocation.argument("key"),
        at: invocation.argument("realm") ?? "", forUser: user,
        device: invocation.integer("device").map { UInt64(clamping: $0) },
        rules: try ServeCommand.accounts(invocation).rules)
      guard !invocation.flag("json") else { return console.print(json: json(explanation)) }
      for line in "\(explanation)".split(separator: "\n") { console.print("\(line)") }
    }
  }

  private static func json(_ explanation: SyncExplanation) -> JSONOutput {
    .object([
      ("verdict", .text(explanation.verdict.rawValue)), ("sentence", .text(explanation.sentence)),
      (
        "steps",
        .array(
          explanation.steps.map { step in
            .object([
              ("subject", .text(step.subject.rawValue)), ("text", .text(step.text)),
              ("decides", .boolean(step.decides)),
            ])
          })
      ),
    ])
  }
}
