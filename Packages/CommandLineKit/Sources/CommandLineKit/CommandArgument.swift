/// One positional argument of a command.
public struct CommandArgument: Sendable, Equatable {
  /// The number of words of an argument.
  public enum Count: Sendable, Equatable {
    case one, optional, any, atLeastOne
  }

  /// The name by which ``Invocation`` hands it out, and which help texts show.
  public var name: String
  /// One sentence for the help text.
  public var help: String
  /// The accepted words. Checked while parsing.
  public var kind: ValueKind
  /// The number of words. Only the last argument of a command may take other than one.
  public var count: Count

  /// An argument that must be there once.
  public static func one(_ name: String, kind: ValueKind = .text, help: String) -> CommandArgument {
    CommandArgument(name: name, help: help, kind: kind, count: .one)
  }

  /// An argument that may be left out.
  public static func optional(_ name: String, kind: ValueKind = .text, help: String) -> CommandArgument {
    CommandArgument(name: name, help: help, kind: kind, count: .optional)
  }

  /// Any number of words, or at least one.
  public static func many(
    _ name: String, atLeastOne: Bool = true, kind: ValueKind = .text, help: String
  ) -> CommandArgument {
    CommandArgument(name: name, help: help, kind: kind, count: atLeastOne ? .atLeastOne : .any)
  }

  /// The argument in a usage line: `NAME`, `[NAME]`, `NAME...` or `[NAME...]`.
  var usage: String {
    switch count {
    case .one: name.uppercased()
    case .optional: "[\(name.uppercased())]"
    case .atLeastOne: "\(name.uppercased())..."
    case .any: "[\(name.uppercased())...]"
    }
  }
}
