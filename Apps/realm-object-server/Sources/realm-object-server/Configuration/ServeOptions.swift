import CommandLineKit

/// The settings of the server: options, variables and names in the configuration file.
enum ServeOptions {
  static let shared: [CommandOption] = [
    .value(
      "data", short: "d", valueName: "DIRECTORY", kind: .path, help: "Where users and realms are kept.",
      environment: "REALM_OBJECT_SERVER_DATA", defaultValue: DataDefaults.directory),
    .value(
      "config", short: "c", valueName: "FILE", kind: .path, help: "A file with settings, one 'name = value' per line.",
      environment: "REALM_OBJECT_SERVER_CONFIG"),
  ]

  /// An option of every command that is no setting.
  static let json = CommandOption.flag("json", help: "Print results and errors as JSON, for programs.")

  static let serving: [CommandOption] =
    [
      setting(
        "port", short: "p", valueName: "PORT", kind: .integer(0...65_535),
        help: "Port to listen on; 0 takes a free one and prints it.",
        defaultValue: "9080"),
      setting(
        "host", valueName: "ADDRESS", help: "Address to listen on; 0.0.0.0 for every network.",
        defaultValue: "127.0.0.1"),
      setting(
        "storage", valueName: "URL",
        help: "postgresql://…: the database of a cluster, of which this server is a node; without, all is in --data."),
      setting("node", valueName: "NAME", help: "The name of this server in its cluster."),
      setting(
        "node-address", valueName: "URL",
        help: "The address under which the other servers of the cluster reach this one."),
      setting(
        "node-authority", valueName: "FILE", kind: .path,
        help: "Authorities (PEM) to trust for the other servers of the cluster, instead of the system's."),
      setting(
        "cluster-secret-file", valueName: "FILE", kind: .path,
        help:
          "A file with a secret of 32 bytes or more, the same on all servers, that wraps the cluster's keys in the database."
      ),
      setting(
        "lease-seconds", valueName: "N", kind: .integer(1...3_600),
        help: "How long a server of a cluster keeps its realms when it is not heard of.", defaultValue: "10"),
      setting(
        "public-url", valueName: "URL", help: "The address that clients are told to use."),
      setting(
        "tls-certificate", valueName: "FILE", kind: .path,
        help: "Certificate and intermediates (PEM): https and wss instead of http and ws. Read again at SIGHUP."),
      setting(
        "tls-key", valueName: "FILE", kind: .path, help: "The private key of the certificate (PEM)."),
      setting(
        "log-level", valueName: "LEVEL",
        kind: .choice(["all", "trace", "debug", "detail", "info", "warn", "error", "fatal", "off"]),
        help: "How much is written to standard error.", defaultValue: "info"),
      setting(
        "log-format", valueName: "FORMAT", kind: .choice(["text", "json"]), help: "How log lines look.",
        defaultValue: "text"),
      setting(
        "metrics", valueName: "WHO", kind: .choice(["all", "local", "none"]),
        help: "Who may read /metrics: all, this machine, or nobody.",
        defaultValue: "local"),
      setting(
        "graphql", valueName: "HOW", kind: .choice(["on", "off", "open"]),
        help: "GraphQL: on, off, or open to everybody without tokens, for development.", defaultValue: "on"),
      switching("graphql-counts", help: "GraphQL gives collections 'count' and 'items'."),
      setting(
        "studio", valueName: "WHO", kind: .choice(["all", "local", "none"]),
        help: "For whom Studio, the console for browsers, is at /studio/: all, this machine, or nobody.",
        defaultValue: "local"),
      switching(
        "behind-proxy",
        help: "Clients come through a proxy on this machine that sends no forwarding headers."),
      setting(
        "trusted-proxies", valueName: "RANGES",
        help: "Proxies whose X-Forwarded-For says who a client is, as 10.0.0.0/8 or ::1 with commas between."),
      setting(
        "partition-access", valueName: "LEVEL", kind: .choice(["none", "read", "write"]),
        help: "What every user may do with the partitions of stock apps.",
        defaultValue: "none"),
      setting(
        "app", valueName: "APPS",
        help: "The realms of apps with queries, as ID=/PATH with commas between; other apps open /default."),
      setting(
        "default-realm-access", valueName: "LEVEL", kind: .choice(["none", "read", "write"]),
        help: "What every user may do with the realms of apps that lie at the root.",
        defaultValue: "write"),
      setting(
        "jwt-key", valueName: "FILES",
        help:
          "Public keys (PEM) whose tokens log users in, with commas between; KID=FILE for tokens with that kid only."),
      setting(
        "jwt-audience", valueName: "NAMES",
        help: "Names, with commas between, one of which aud must hold; without, tokens must have no aud."),
      setting(
        "jwt-issuer", valueName: "NAMES", help: "Names, with commas between, one of which iss must be."),
      setting(
        "mail-server", valueName: "URL",
        help:
          "smtp://host:587 or smtps://host:465: addresses are confirmed and passwords reset by mail. Needs mail-from and public-url."
      ),
      setting("mail-from", valueName: "ADDRESS", help: "The address that messages come from."),
      setting("mail-name", valueName: "NAME", help: "The service as messages name it.", defaultValue: "OpenRealm"),
      setting("mail-user", valueName: "NAME", help: "The name to log in to the mail server with."),
      setting(
        "mail-password-file", valueName: "FILE", kind: .path, help: "A file with the password for the mail server."),
      setting(
        "mail-authority", valueName: "FILE", kind: .path,
        help: "Authorities (PEM) to trust for the mail server, instead of the system's."),
      switching("mail-plain", help: "Accept a mail server without TLS."),
      switching(
        "no-confirmation", help: "With a mail server: let accounts exist before their addresses are confirmed."),
      setting(
        "registration", valueName: "WHO", kind: .choice(["all", "local", "none"]),
        help: "Who may make users: all clients, those on this machine, or nobody but 'users create'.",
        defaultValue: "local"),
      switching(
        "hide-taken-names", help: "Answer who registers a taken name as if a user had been made."),
      setting(
        "anonymous", valueName: "WHO", kind: .choice(["all", "local", "none"]),
        help: "Who may log in without a name: all clients, those on this machine, or nobody.",
        defaultValue: "local"),
      setting(
        "nickname", valueName: "WHO", kind: .choice(["all", "local", "none"]),
        help: "Who may log in by a mere name, as anybody: for prototypes alone.", defaultValue: "none"),
      switching("no-passwords", help: "Do not let users log in by name and password."),
      switching("no-api-keys", help: "Do not let programs log in with API keys."),
      switching(
        "no-first-administrator", help: "Do not make an administrator when the data directory has no user yet."),
      setting(
        "minimum-password", valueName: "BYTES", kind: .integer(1...1_024), help: "The shortest password.",
        defaultValue: "8"),
      setting(
        "access-token-minutes", valueName: "N", kind: .integer(1...1_440), help: "How long an access token lives.",
        defaultValue: "30"),
      setting(
        "refresh-token-days", valueName: "N", kind: .integer(1...3_650), help: "How long a login lives.",
        defaultValue: "60"),
    ] + limits

  private static let limits: [CommandOption] = [
    number("max-connections", 20_000, 1...1_000_000, "N", "Sync connections at a time."),
    number("connection-rate", 200, 1...1_000_000, "N", "New sync connections per second from one address."),
    number("account-rate", 20, 1...1_000_000, "N", "New users per second from one address."),
    number("max-body-kb", 1_024, 1...1_048_576, "KB", "The largest HTTP request body."),
    number("max-message-mb", 256, 1...512, "MB", "The largest sync message, and so the largest transaction."),
    number("memory-mb", 512, 16...1_048_576, "MB", "Messages in memory, of all connections, before clients must wait."),
    number("slow-reader-seconds", 120, 1...86_400, "N", "How long a client may take to read what waits for it."),
    number("idle-seconds", 1_800, 30...86_400, "N", "How long a connection may say nothing."),
    number("realm-idle-seconds", 5, 1...86_400, "N", "How long the files of an idle realm stay open."),
    number("open-realms", 128, 1...1_000_000, "N", "Idle realms with open files; others are closed sooner."),
    number("history-days", 30, 1...3_650, "N", "How long a client may stay away before it must start anew."),
    setting(
      "historyTTL", valueName: "SECONDS", kind: .integer(60...315_360_000),
      help: "The same as history-days in seconds, under the name of former servers."),
    number("vacuum-hours", 0, 0...8_760, "N", "How often unused space of realm files is given back; 0 for never."),
    number(
      "webhook-retries", 10, 0...1_000, "N",
      "How often a message of a webhook is sent again before it is a dead letter."),
    number("stop-seconds", 5, 0...3_600, "N", "How long stopping waits for connections to close."),
    number("threads", 0, 0...256, "N", "Threads for disk and passwords; 0 chooses by the processors."),
  ]

  /// The settings that a configuration file may hold.
  static let all = shared + serving

  private static func number(
    _ name: String, _ value: Int, _ range: ClosedRange<Int>, _ valueName: String, _ help: String
  ) -> CommandOption {
    setting(name, valueName: valueName, kind: .integer(range), help: help, defaultValue: String(value))
  }

  /// A value that also has a variable.
  private static func setting(
    _ name: String, short: Character? = nil, valueName: String, kind: ValueKind = .text, help: String,
    defaultValue: String? = nil
  ) -> CommandOption {
    .value(
      name, short: short, valueName: valueName, kind: kind, help: help, environment: variable(name),
      defaultValue: defaultValue)
  }

  /// A flag that also has a variable.
  private static func switching(_ name: String, help: String) -> CommandOption {
    .flag(name, help: help, environment: variable(name))
  }

  private static func variable(_ name: String) -> String {
    "REALM_OBJECT_SERVER_" + name.uppercased().replacing("-", with: "_")
  }
}
