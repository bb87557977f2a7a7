import CommandLineKit
import Foundation

/// The catalogue of a Debian system's packages as a synchronised realm: tens of thousands of objects with their links.
@main
struct Main {
  static func main() async {
    exit(await command.run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  static let command = Command(
    "package-catalogue", summary: "Keep the packages of a Debian system in a synchronised realm.",
    discussion: """
        apt-cache dumpavail | package-catalogue load --server http://localhost:9080 --data one --register
        package-catalogue digest --server http://localhost:9080 --data two
        package-catalogue find --server http://localhost:9080 --data two "dependents.@count > 500"
      """,
    options: [
      .value("server", help: "The server, such as http://localhost:9080.", environment: "REALM_SERVER"),
      .value("user", help: "The name to log in with.", defaultValue: "catalogue"),
      .value("password", help: "The password.", environment: "REALM_PASSWORD", defaultValue: "catalogue"),
      .flag("register", help: "Make the user."),
      .value(
        "ca", valueName: "FILE", help: "The authority, or certificate, that proves the server.", environment: "REALM_CA"
      ),
      .value("data", short: "d", valueName: "FOLDER", help: "Where this device keeps its data.", defaultValue: "."),
    ],
    subcommands: [
      Command(
        "load", summary: "Read a package index from standard input and upload it.",
        asyncAction: { invocation, console in
          let catalogue = try await Catalogue(invocation)
          let count = try catalogue.load { readLine() }
          try await catalogue.upload()
          console.print("\(count) packages read and uploaded")
        }),
      Command(
        "upgrade", summary: "Change the versions of a section's packages, offline, and upload them then.",
        arguments: [
          .one("section", help: "Such as editors."), .one("suffix", help: "What the versions end with then."),
        ],
        asyncAction: { invocation, console in
          let catalogue = try await Catalogue(invocation)
          try catalogue.suspend()
          let count = try catalogue.upgrade(
            invocation.argument("section") ?? "", to: invocation.argument("suffix") ?? "")
          try catalogue.resume()
          try await catalogue.upload()
          console.print("\(count) packages upgraded")
        }),
      Command(
        "find", summary: "Print the packages that match a query, from the server's latest state.",
        arguments: [.one("query", help: "Such as \"installedSize > 500000\".")],
        asyncAction: { invocation, console in
          let catalogue = try await Catalogue(invocation)
          try await catalogue.download()
          var table = TextTable(columns: [.init("name"), .init("version"), .init("dependents", alignsRight: true)])
          table.rows = try catalogue.find(invocation.argument("query") ?? "").map {
            [$0.name, $0.version, "\($0.dependents)"]
          }
          console.print(table)
        }),
      Command(
        "digest", summary: "Print how much the catalogue holds, and one number for all of it.",
        asyncAction: { invocation, console in
          let catalogue = try await Catalogue(invocation)
          try await catalogue.upload()
          try await catalogue.download()
          let digest = try catalogue.digest()
          console.print("\(digest.objects) packages, \(digest.links) dependencies, digest \(digest.digest)")
        }),
    ])
}
