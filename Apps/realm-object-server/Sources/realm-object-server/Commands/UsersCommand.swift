import CommandLineKit
import ObjectServer

/// Users, also while a server runs.
enum UsersCommand {
  private static let name = CommandArgument.one("name", help: "The name to log in with.")

  static let command = Command(
    "users", summary: "List, create and remove users, and change passwords.",
    discussion: "Works on the data directory, also while a server runs on it.",
    subcommands: [list, create, password, remove])

  private static let list = Command(
    "list", summary: "Print ids, ways to log in and names."
  ) { invocation, console in
    try ServeCommand.reporting {
      let directory = try ServeCommand.data(invocation).openDirectory(mustExist: true)
      defer { directory.close() }
      let rows = try directory.users().flatMap { user, identities in identities.map { (user, $0) } }
      guard !invocation.flag("json") else {
        let objects = rows.map { user, identity in
          JSONOutput.object([
            ("id", .text(user.id.rawValue)), ("provider", .text(identity.provider)), ("name", .text(identity.name)),
            ("administrator", .boolean(user.isAdministrator)), ("disabled", .boolean(user.isDisabled)),
          ])
        }
        return console.print(json: .array(objects))
      }
      for (user, identity) in rows {
        let marks = (user.isAdministrator ? " admin" : "") + (user.isDisabled ? " disabled" : "")
        console.print("\(user.id) \(identity.provider) \(identity.name)\(marks)")
      }
    }
  }

  private static let create = Command(
    "create", summary: "Create a user; asks for the password, or reads a line of standard input.",
    options: [.flag("admin", help: "Let the user do everything.")], arguments: [name]
  ) { invocation, console in
    let name = invocation.argument("name") ?? ""
    let password = try console.readPassword("Password for \(name): ")
    try ServeCommand.reporting {
      let id = try ServeCommand.data(invocation).addUser(
        name: name, password: password, isAdministrator: invocation.flag("admin"),
        policy: try ServeCommand.accounts(invocation))
      report([("name", .text(name)), ("id", .text(id.rawValue))], "created \(name), id \(id)", invocation, console)
    }
  }

  private static let password = Command(
    "password", summary: "Change a password, end the user's logins and revoke the user's API keys.",
    discussion: "Asks for the new password, or reads a line of standard input.",
    options: [.flag("keep-keys", help: "Let the user's API keys go on opening logins.")], arguments: [name]
  ) { invocation, console in
    let name = invocation.argument("name") ?? ""
    let password = try console.readPassword("New password for \(name): ")
    try ServeCommand.reporting {
      let revoked = try ServeCommand.data(invocation).setPassword(
        ofUser: name, to: password, policy: try ServeCommand.accounts(invocation),
        keepsAPIKeys: invocation.flag("keep-keys"))
      report(
        [("name", .text(name)), ("revokedKeys", .integer(revoked))],
        "changed the password of \(name)" + (revoked > 0 ? ", revoked \(revoked) API keys" : ""), invocation, console)
    }
  }

  private static let remove = Command(
    "remove", summary: "Remove a user with logins, grants and offers; the user's realms stay.",
    arguments: [.one("name", help: "The name to log in with, or the id.")]
  ) { invocation, console in
    let name = invocation.argument("name") ?? ""
    try ServeCommand.reporting {
      try ServeCommand.data(invocation).removeUser(name)
      report([("name", .text(name))], "removed \(name)", invocation, console)
    }
  }

  /// Prints what was done: for people a sentence, for programs its parts.
  private static func report(
    _ members: [(name: String, value: JSONOutput)], _ sentence: ConsoleText, _ invocation: Invocation,
    _ console: Console
  ) {
    invocation.flag("json") ? console.print(json: .object(members)) : console.print(sentence)
  }
}
