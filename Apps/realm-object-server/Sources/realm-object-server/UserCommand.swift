import CommandLineKit
import ObjectServer

/// Users, also while a server runs.
enum UserCommand {
  static let command = Command(
    "user", summary: "Add and list users.",
    subcommands: [
      Command(
        "add", summary: "Add a user; asks for the password, or reads a line of standard input.",
        options: [.flag("admin", help: "Let the user do everything.")],
        arguments: [.one("name", help: "The name to log in with.")]
      ) { invocation, console in
        let name = invocation.argument("name") ?? ""
        let password = try console.readPassword("Password for \(name): ")
        do {
          let id = try EmbeddedServer(path: invocation.text("data") ?? DataDefaults.directory).addUser(
            name: name, password: password, isAdministrator: invocation.flag("admin"))
          console.print("added \(name), id \(id)")
        } catch let error as ServerError {
          throw ServeCommand.failure(error)
        }
      },
      Command("list", summary: "Print ids, ways to log in and names.") { invocation, console in
        do {
          let directory = try EmbeddedServer(path: invocation.text("data") ?? DataDefaults.directory).openDirectory()
          defer { directory.close() }
          for (user, identities) in try directory.users() {
            let mark = user.isAdministrator ? " admin" : ""
            for identity in identities { console.print("\(user.id) \(identity.provider) \(identity.name)\(mark)") }
          }
        } catch let error as ServerError {
          throw ServeCommand.failure(error)
        }
      },
    ])
}
