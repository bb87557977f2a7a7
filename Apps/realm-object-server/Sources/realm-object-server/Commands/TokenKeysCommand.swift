import CommandLineKit
import ObjectServer

/// The keys that sign tokens; also while a server runs.
enum TokenKeysCommand {
  static let command = Command("keys", summary: "Rotate the key that signs tokens.", subcommands: [rotate])

  private static let rotate = Command(
    "rotate", summary: "Sign tokens with a new key from now on; nobody is logged out.",
    discussion: """
      Works beside a running server, which takes the new key over within a second. Access tokens of the old key are good for \
      as long as access tokens live; with --now they end at once, and clients get new ones: use it when the old key may be \
      known to somebody. keys/admin.json is written anew.

        realm-object-server keys rotate --data /var/lib/openrealm
      """,
    options: [.flag("now", help: "Refuse access tokens of the old key at once.")]
  ) { invocation, console in
    try ServeCommand.reporting {
      let isImmediate = invocation.flag("now")
      let lifetime = try ServeCommand.accounts(invocation).accessTokenLifetime
      try ServeCommand.data(invocation).rotateTokenKey(overlap: isImmediate ? .zero : lifetime)
      guard !invocation.flag("json") else {
        return console.print(json: .object([("rotated", .boolean(true)), ("immediate", .boolean(isImmediate))]))
      }
      console.print("tokens are signed with a new key")
    }
  }
}
