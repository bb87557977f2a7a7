import ByteCoding
import CommandLineKit

/// The API keys of users.
enum KeysCommand {
  private static let key = CommandArgument.one("key", help: "The id of a key; 'keys list' shows them.")

  static let command = Command(
    "api-keys", summary: "List, create, disable and revoke the API keys of a user.",
    discussion: "Asks the running server; logins of a key that is disabled or revoked end at once.",
    subcommands: [list, create, set("enable", isDisabled: false), set("disable", isDisabled: true), revoke])

  private static func base(_ invocation: Invocation) async throws -> String {
    try await AdminClient.userPath(invocation) + "/keys"
  }

  private static let list = Command("list", summary: "Print the keys of a user.", arguments: [TokensCommand.user]) {
    invocation, console in
    AdminOutput.list(
      try await AdminClient.call(invocation, "GET", try await base(invocation)), "keys",
      [
        .init("Key", "id"), .init("Name", "name"), .init("Disabled", "isDisabled"),
        .init("Since", "createdAt", isTime: true),
      ], invocation, console)
  }

  private static let create = Command(
    "create", summary: "Create a key and print its secret, which is not shown again.",
    arguments: [TokensCommand.user, .one("name", help: "A name for the key.")]
  ) { invocation, console in
    let answer = try await AdminClient.call(
      invocation, "POST", try await base(invocation),
      body: .object([("name", .string(invocation.argument("name") ?? ""))]))
    AdminOutput.done(
      "\(answer["id"]?.string ?? "") \(answer["key"]?.string ?? "")", answer, invocation, console)
  }

  private static func set(_ name: String, isDisabled: Bool) -> Command {
    Command(
      name, summary: isDisabled ? "Disable a key; its logins end." : "Enable a key again.",
      arguments: [TokensCommand.user, key]
    ) { invocation, console in
      let answer = try await AdminClient.call(
        invocation, "PATCH", try await base(invocation) + "/" + AdminClient.encoded(invocation.argument("key") ?? ""),
        body: .object([("isDisabled", .bool(isDisabled))]))
      AdminOutput.done("\(name)d \(invocation.argument("key") ?? "")", answer, invocation, console)
    }
  }

  private static let revoke = Command(
    "revoke", summary: "Revoke a key with its logins.", arguments: [TokensCommand.user, key]
  ) { invocation, console in
    let answer = try await AdminClient.call(
      invocation, "DELETE", try await base(invocation) + "/" + AdminClient.encoded(invocation.argument("key") ?? ""))
    AdminOutput.done("revoked \(invocation.argument("key") ?? "")", answer, invocation, console)
  }
}
