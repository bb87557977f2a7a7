import ByteCoding
import CommandLineKit

/// The offers of access that users made.
enum OffersCommand {
  static let command = Command(
    "offers", summary: "List and withdraw the offers of access that a user made.",
    discussion: "The secrets of offers are not shown.", subcommands: [list, withdraw])

  private static func base(_ invocation: Invocation) async throws -> String {
    try await AdminClient.userPath(invocation) + "/offers"
  }

  private static let list = Command("list", summary: "Print the offers of a user.", arguments: [TokensCommand.user]) {
    invocation, console in
    AdminOutput.list(
      try await AdminClient.call(invocation, "GET", try await base(invocation)), "offers",
      [
        .init("Offer", "id"), .init("Realm", "path"), .init("Access", "access"),
        .init("Since", "createdAt", isTime: true), .init("Ends", "expiresAt", isTime: true),
      ], invocation, console)
  }

  private static let withdraw = Command(
    "withdraw", summary: "Withdraw an offer; access that it gave already stays.",
    arguments: [TokensCommand.user, .one("offer", help: "The offer in the list.")]
  ) { invocation, console in
    let offer = invocation.argument("offer") ?? ""
    let answer = try await AdminClient.call(
      invocation, "DELETE", try await base(invocation) + "/" + AdminClient.encoded(offer))
    AdminOutput.done("withdrew \(offer)", answer, invocation, console)
  }
}
