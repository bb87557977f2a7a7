import ByteCoding
import CommandLineKit

/// The sync connections of the running server.
enum SessionsCommand {
  static let command = Command(
    "sessions", summary: "List and close the sync connections of the running server.", subcommands: [list, close])

  private static let list = Command("list", summary: "Print the open connections with their sessions.") {
    invocation, console in
    AdminOutput.list(
      try await AdminClient.call(invocation, "GET", "sessions"), "connections",
      [
        .init("Connection", "id"), .init("User", "user"), .init("Address", "address"), .init("Waiting", "buffered"),
        .init("Realms", "sessions"),
      ], invocation, console)
  }

  private static let close = Command(
    "close", summary: "Close a connection; its client comes back if it still may.",
    arguments: [.one("connection", help: "The number of the connection in the list.")]
  ) { invocation, console in
    let connection = invocation.argument("connection") ?? ""
    let answer = try await AdminClient.call(
      invocation, "DELETE", "sessions/" + AdminClient.encoded(connection))
    AdminOutput.done("closed \(connection)", answer, invocation, console)
  }
}
