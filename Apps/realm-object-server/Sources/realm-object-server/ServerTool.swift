import CommandLineKit

/// The command line of the server.
enum ServerTool {
  static let version = "0.1.0"

  static let command = Command(
    "realm-object-server", summary: "Synchronise realms between the devices of many users.",
    discussion: """
      Serves until it receives SIGTERM or SIGINT, then lets uploads become durable and closes. One server uses a data \
      directory at a time. A user's realms are /<user id>/<name>; clients write /~/<name>.

      It speaks plain HTTP: put a TLS proxy in front of it before it leaves this machine.

        realm-object-server --port 9080 --data /var/lib/openrealm
        realm-object-server user add ann
      """,
    version: version,
    options: [
      .value(
        "data", short: "d", valueName: "DIRECTORY", help: "Where users and realms are kept.",
        environment: "OPENREALM_DATA", defaultValue: DataDefaults.directory)
    ] + ServeCommand.options,
    subcommands: [UserCommand.command],
    asyncAction: ServeCommand.run)
}
