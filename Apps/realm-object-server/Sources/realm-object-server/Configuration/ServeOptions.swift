import CommandLineKit

/// Everything that an operator can set, in one list: options, variables and names in the configuration file.
enum ServeOptions {
  static let shared: [CommandOption] = [
    .value(
      "data", short: "d", valueName: "DIRECTORY", help: "Where users and realms are kept.",
      environment: "REALM_OBJECT_SERVER_DATA", defaultValue: DataDefaults.directory),
    .value(
      "config", short: "c", valueName: "FILE", help: "A file with settings, one 'name = value' per line.",
      environment: "REALM_OBJECT_SERVER_CONFIG"),
  ]

  static let serving: [CommandOption] =
    [
      .value(
        "port", short: "p", valueName: "PORT", kind: .integer(0...65_535),
        help: "Port to listen on; 0 takes a free one and prints it.", environment: variable("port"),
        defaultValue: "9080"),
      .value(
        "host", valueName: "ADDRESS", help: "Address to listen on; 0.0.0.0 for every network.",
        environment: variable("host"), defaultValue: "127.0.0.1"),
      .value(
        "public-url", valueName: "URL", help: "The address that clients are told to use.",
        environment: variable("public-url")),
      .value(
        "tls-certificate", valueName: "FILE",
        help: "Certificate and intermediates (PEM): https and wss instead of http and ws. Read again at SIGHUP.",
        environment: variable("tls-certificate")),
      .value(
        "tls-key", valueName: "FILE", help: "The private key of the certificate (PEM).",
        environment: variable("tls-key")),
      .value(
        "log-level", valueName: "LEVEL",
        kind: .choice(["all", "trace", "debug", "detail", "info", "warn", "error", "fatal", "off"]),
        help: "How much is written to standard error.", environment: variable("log-level"), defaultValue: "info"),
      .value(
        "log-format", valueName: "FORMAT", kind: .choice(["text", "json"]), help: "How log lines look.",
        environment: variable("log-format"), defaultValue: "text"),
      .value(
        "metrics", valueName: "WHO", kind: .choice(["all", "local", "none"]),
        help: "Who may read /metrics: all, this machine, or nobody.", environment: variable("metrics"),
        defaultValue: "local"),
      .flag(
        "behind-proxy",
        help: "Clients come through a proxy on this machine that sends no forwarding headers.",
        environment: variable("behind-proxy")),
      .value(
        "partition-access", valueName: "LEVEL", kind: .choice(["none", "read", "write"]),
        help: "What every user may do with the partitions of stock apps.", environment: variable("partition-access"),
        defaultValue: "write"),
      .value(
        "jwt-key", valueName: "FILES",
        help:
          "Public keys (PEM) whose tokens log users in, with commas between; KID=FILE for tokens with that kid only.",
        environment: variable("jwt-key")),
      .value(
        "jwt-audience", valueName: "NAMES",
        help: "Names, with commas between, one of which aud must hold; without, tokens must have no aud.",
        environment: variable("jwt-audience")),
      .value(
        "jwt-issuer", valueName: "NAMES", help: "Names, with commas between, one of which iss must be.",
        environment: variable("jwt-issuer")),
      .flag(
        "no-registration", help: "Do not let clients make users; use 'users create'.",
        environment: variable("no-registration")),
      .flag(
        "hide-taken-names", help: "Answer who registers a taken name as if a user had been made.",
        environment: variable("hide-taken-names")),
      .flag(
        "no-anonymous", help: "Do not let users without a name log in.", environment: variable("no-anonymous")),
      .value(
        "minimum-password", valueName: "BYTES", kind: .integer(1...1_024), help: "The shortest password.",
        environment: variable("minimum-password"), defaultValue: "1"),
      .value(
        "access-token-minutes", valueName: "N", kind: .integer(1...1_440), help: "How long an access token lives.",
        environment: variable("access-token-minutes"), defaultValue: "30"),
      .value(
        "refresh-token-days", valueName: "N", kind: .integer(1...3_650), help: "How long a login lives.",
        environment: variable("refresh-token-days"), defaultValue: "60"),
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
    number("realm-idle-seconds", 5, 1...86_400, "N", "How long the files of a realm that rests stay open."),
    number("open-realms", 128, 1...1_000_000, "N", "Realms that rest with their files open; others are closed sooner."),
    number("history-days", 30, 1...3_650, "N", "How long a client may stay away before it must start anew."),
    number("stop-seconds", 5, 0...3_600, "N", "How long stopping waits for connections to close."),
    number("threads", 0, 0...256, "N", "Workers for disk and passwords; 0 chooses by the processors."),
  ]

  /// The settings that a configuration file may hold.
  static let all = shared + serving

  private static func number(
    _ name: String, _ value: Int, _ range: ClosedRange<Int>, _ valueName: String, _ help: String
  ) -> CommandOption {
    .value(
      name, valueName: valueName, kind: .integer(range), help: help, environment: variable(name),
      defaultValue: String(value))
  }

  private static func variable(_ name: String) -> String {
    "REALM_OBJECT_SERVER_" + name.uppercased().replacing("-", with: "_")
  }
}
