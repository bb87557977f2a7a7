import CommandLineKit
import EventHandling
import Foundation
import SyncClient

/// An event handler in a process of its own.
@main
struct Main {
  static func main() async {
    exit(await command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static let command = Command(
    "coupon-handler", summary: "Check the coupons in the wallets of all users of a server.",
    discussion: """
      The password is read from REALM_PASSWORD. Several of these programs share the work; each needs a folder of its own.
      """,
    options: [
      .value("server", help: "The server, such as http://localhost:9080.", environment: "REALM_SERVER"),
      .value("user", help: "An administrator.", defaultValue: "realm-admin"),
      .value("password", help: "The password.", environment: "REALM_PASSWORD"),
      .value("data", short: "d", valueName: "FOLDER", help: "The folder of its own files.", defaultValue: "."),
      .value("codes", help: "The codes that are valid, with commas between them.", defaultValue: "WELCOME"),
    ],
    asyncAction: { invocation, console in
      guard let server = invocation.text("server").flatMap(URL.init(string:)) else {
        throw CommandFailure("no server is named", remedy: "give '--server http://HOST:PORT'")
      }
      let folder = URL(fileURLWithPath: invocation.text("data") ?? ".", isDirectory: true)
      let manager = SyncManager(rootDirectory: folder.appendingPathComponent("users"))
      manager.logLevel = .off
      let admin = try await SyncUser.logIn(
        with: .usernamePassword(username: invocation.text("user") ?? "", password: invocation.text("password") ?? ""),
        server: server, manager: manager)
      let codes = Set((invocation.text("codes") ?? "").split(separator: ",").map(String.init))
      let notifier = try Notifier(
        server: server, adminUser: admin,
        NotifierConfiguration(
          workingDirectory: folder.appendingPathComponent("events").path, handlers: [try CouponHandler(codes: codes)]))
      try await notifier.start()
      console.print("checking the coupons of \(server.absoluteString)")
      while true { try await Task.sleep(for: .seconds(3_600)) }
    })
}
