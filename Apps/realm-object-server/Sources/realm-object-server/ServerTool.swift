import CommandLineKit

/// The command line of the server.
enum ServerTool {
  static let version = Release.version

  static let command = Command(
    "realm-object-server", summary: "Synchronise realms between the devices of many users.",
    discussion: """
      Without a command it serves; 'realm-object-server serve --help' lists the settings. One server uses a data directory \
      at a time; the other commands work beside it. A user's realms are /<user id>/<name>; clients write /~/<name>.

        realm-object-server --port 9080 --data /var/lib/openrealm
        realm-object-server users create ann
        realm-object-server backup /backups/monday

      Exit codes: 0 done, 1 could not be done, 2 not understood. With --json, an error is one line of JSON on standard \
      error: {"error":{"code","message","remedy"}}.
      """,
    version: version,
    options: ServeOptions.shared + [ServeOptions.json]
      + ServeOptions.serving.map { option in
        var option = option
        option.isHidden = true
        return option
      },
    subcommands: [
      ServeCommand.command, BackupCommand.backup, BackupCommand.restore, BackupCommand.verify, BackupCommand.vacuum,
      ConfigCommand.command, UsersCommand.command, TokensCommand.command, KeysCommand.command, TokenKeysCommand.command,
      OffersCommand.command,
      PermissionsCommand.command, RealmsCommand.command, SessionsCommand.command, AuditCommand.command,
      ExplainCommand.command, GraphQLCommand.command, WebhooksCommand.command,
      ClusterCommand.command,
    ],
    asyncAction: ServeCommand.run)
}
