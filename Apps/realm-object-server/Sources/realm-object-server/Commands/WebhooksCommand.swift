import ByteCoding
import CommandLineKit

/// The webhooks of the running server, and what they could not deliver.
enum WebhooksCommand {
  static let command = Command(
    "webhooks", summary: "List the webhooks of the running server, and send again what was not accepted.",
    subcommands: [list, letters, send, delete])

  private static let list = Command("list", summary: "Print the webhooks with their dead letters.") {
    invocation, console in
    AdminOutput.list(
      try await AdminClient.call(invocation, "GET", "webhooks"), "webhooks",
      [
        .init("Webhook", "name"), .init("Address", "url"), .init("Realms", "pattern"),
        .init("Dead letters", "deadLetters"),
      ], invocation, console)
  }

  private static let letters = Command(
    "letters", summary: "Print the messages that were never accepted.",
    options: [.value("webhook", valueName: "NAME", help: "Only those of one webhook.")]
  ) { invocation, console in
    AdminOutput.list(
      .object([("letters", .array(try await all(invocation, of: invocation.text("webhook"))))]), "letters",
      [
        .init("Letter", "id"), .init("Webhook", "webhook"), .init("Transaction", "event"), .init("Bytes", "bytes"),
        .init("Reason", "reason"),
      ], invocation, console)
  }

  /// The dead letters, also those beyond one page.
  private static func all(_ invocation: Invocation, of webhook: String? = nil) async throws -> [JSONValue] {
    let path =
      "webhooks/dead-letters?limit=1000" + (webhook.map { "&webhook=" + AdminClient.encoded($0) } ?? "")
    var letters: [JSONValue] = []
    var next: String? = ""
    while let after = next {
      let page = try await AdminClient.call(invocation, "GET", path + (after.isEmpty ? "" : "&after=" + after))
      letters += page["letters"]?.elements ?? []
      next = page["next"]?.string
    }
    return letters
  }

  private static let send = Command(
    "send", summary: "Send dead letters again; those that are accepted are removed.",
    arguments: [.many("letter", atLeastOne: false, help: "Their ids in the list; all letters unless given.")]
  ) { invocation, console in
    var ids = invocation.arguments("letter")
    if ids.isEmpty {
      ids = try await all(invocation).compactMap { $0["id"]?.string }
    }
    var accepted = 0
    var refusals: [String] = []
    for id in ids {
      let answer = try await AdminClient.call(
        invocation, "POST", "webhooks/dead-letters/\(AdminClient.encoded(id))/send")
      if answer["accepted"]?.bool == true {
        accepted += 1
      } else {
        refusals.append("\(id): \(answer["reason"]?.string ?? "not accepted")")
      }
    }
    AdminOutput.done(
      "accepted \(accepted) of \(ids.count)",
      .object([("accepted", .number(String(accepted))), ("refused", .number(String(refusals.count)))]), invocation,
      console)
    if let first = refusals.first {
      throw CommandFailure(
        "\(refusals.count) letters were not accepted; \(first)", remedy: "see the receiver, and send them again")
    }
  }

  private static let delete = Command(
    "delete", summary: "Remove a dead letter, for good.",
    arguments: [.one("letter", help: "Its id in the list.")]
  ) { invocation, console in
    let id = invocation.argument("letter") ?? ""
    let answer = try await AdminClient.call(
      invocation, "DELETE", "webhooks/dead-letters/" + AdminClient.encoded(id))
    AdminOutput.done("removed \(id)", answer, invocation, console)
  }
}
