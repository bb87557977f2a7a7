import ByteCoding
import CommandLineKit

/// The logins of users, which are what tokens belong to.
enum TokensCommand {
  static let user = CommandArgument.one("user", help: "The name to log in with, or the id.")

  static let command = Command(
    "tokens", summary: "List and end the logins of a user, with all tokens that belong to them.",
    discussion:
      "Asks the running server; connections of ended logins close at once. A stopped server's data are opened.",
    subcommands: [list, end])

  private static let list = Command("list", summary: "Print the logins of a user.", arguments: [user]) {
    invocation, console in
    let answer = try await AdminClient.call(
      invocation, "GET", try await AdminClient.userPath(invocation) + "/logins")
    AdminOutput.list(
      answer, "logins",
      [
        .init("Login", "id"), .init("App", "app"), .init("Key", "key"), .init("Since", "createdAt", isTime: true),
        .init("Ends", "expiresAt", isTime: true),
      ], invocation, console)
  }

  private static let end = Command(
    "end", summary: "End one login of a user, or all.",
    arguments: [user, .optional("login", help: "The login in the list; all without it.")]
  ) { invocation, console in
    let base = try await AdminClient.userPath(invocation) + "/logins"
    let path = invocation.argument("login").map { base + "/" + AdminClient.encoded($0) } ?? base
    let answer = try await AdminClient.call(invocation, "DELETE", path)
    let count = answer["ended"]?.integer ?? 1
    AdminOutput.done("ended \(count) login\(count == 1 ? "" : "s")", answer, invocation, console)
  }
}
