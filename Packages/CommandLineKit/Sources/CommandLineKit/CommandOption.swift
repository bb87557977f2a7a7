/// One `--option` of a command: a flag, or an option with a value.
///
///     CommandOption.flag("json", help: "Print JSON.")                                // --json
///     CommandOption.value("port", short: "p", valueName: "PORT", kind: .integer(1...65535),
///                         help: "Port to listen on.", environment: "REALM_PORT", defaultValue: "9080")
///
/// The value comes from the command line, else from the environment variable, else from the default.
public struct CommandOption: Sendable, Equatable {
  /// The long name, without dashes.
  public var name: String
  /// The one-character name, if any.
  public var short: Character?
  /// The name of the value in help texts; nil for a flag.
  public var valueName: String?
  /// The accepted values. Checked while parsing.
  public var kind: ValueKind
  /// One sentence for the help text.
  public var help: String
  /// The environment variable that supplies the value when the command line does not. An empty one counts as unset.
  public var environment: String?
  /// The value when neither the command line nor the environment supplies one.
  public var defaultValue: String?
  /// Whether the option may be given more than once. Otherwise a second one is an error.
  public var repeats: Bool
  /// Whether help texts leave the option out.
  public var isHidden: Bool

  /// An option without a value. From the environment, `1`, `true`, `yes` and `on` set it.
  public static func flag(
    _ name: String, short: Character? = nil, help: String, environment: String? = nil, isHidden: Bool = false
  ) -> CommandOption {
    CommandOption(
      name: name, short: short, valueName: nil, kind: .boolean, help: help, environment: environment,
      defaultValue: nil, repeats: false, isHidden: isHidden)
  }

  /// An option with a value: `--name VALUE`, `--name=VALUE`, `-n VALUE` or `-nVALUE`.
  public static func value(
    _ name: String, short: Character? = nil, valueName: String? = nil, kind: ValueKind = .text, help: String,
    environment: String? = nil, defaultValue: String? = nil, repeats: Bool = false, isHidden: Bool = false
  ) -> CommandOption {
    CommandOption(
      name: name, short: short, valueName: valueName ?? name.uppercased(), kind: kind, help: help,
      environment: environment, defaultValue: defaultValue, repeats: repeats, isHidden: isHidden)
  }

  /// Whether the option stands alone.
  public var isFlag: Bool { valueName == nil }
}
