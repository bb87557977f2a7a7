/// The outcome of parsing a command line: which command, with which values. It is plain data.
///
/// Asking for a name that the command did not declare is a mistake in the program and traps.
public struct Invocation: Sendable, Equatable {
  /// The origin of a value.
  public enum Source: Sendable, Equatable {
    case commandLine, environment, defaultValue
  }

  /// The words that led to the command, beginning with the name of the tool.
  public let path: [String]

  var values: [String: [String]] = [:]
  var sources: [String: Source] = [:]
  var words: [String: [String]] = [:]
  var declaredOptions: Set<String> = []
  var declaredArguments: Set<String> = []

  /// Whether a flag was given.
  public func flag(_ name: String) -> Bool {
    option(name).last.flatMap(ValueKind.boolean) ?? false
  }

  /// The value of an option; nil if it has none.
  public func text(_ name: String) -> String? { option(name).last }

  /// All values of an option that repeats, in order.
  public func texts(_ name: String) -> [String] { option(name) }

  /// The value of an option of kind ``ValueKind/integer(_:)``.
  public func integer(_ name: String) -> Int? { option(name).last.flatMap { Int($0) } }

  /// The value of an option of kind ``ValueKind/number``.
  public func number(_ name: String) -> Double? { option(name).last.flatMap { Double($0) } }

  /// The origin of an option's value; nil if it has none.
  public func source(of name: String) -> Source? {
    _ = option(name)
    return sources[name]
  }

  /// The word of an argument; nil if an optional one was left out.
  public func argument(_ name: String) -> String? { arguments(name).first }

  /// All words of an argument.
  public func arguments(_ name: String) -> [String] {
    precondition(declaredArguments.contains(name), "argument '\(name)' is not declared by this command")
    return words[name] ?? []
  }

  private func option(_ name: String) -> [String] {
    precondition(declaredOptions.contains(name), "option '--\(name)' is not declared by this command")
    return values[name] ?? []
  }
}
