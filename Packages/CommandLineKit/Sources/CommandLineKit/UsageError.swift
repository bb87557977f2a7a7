/// A mistake in a command line, as data. The wording is in ``message``.
///
///     unknown option '--prot'; did you mean '--port'?
public struct UsageError: Error, Equatable, Sendable {
  /// The kinds of mistakes. Words are given as they were typed.
  public enum Reason: Equatable, Sendable {
    case unknownOption(String, nearest: String?)
    case unknownCommand(String, nearest: String?)
    case missingCommand([String])
    case missingValue(option: String, valueName: String)
    case unexpectedValue(option: String, value: String)
    case repeatedOption(String)
    case invalidOption(String, value: String, expected: String)
    case invalidEnvironment(String, value: String, expected: String)
    case missingArgument(String)
    case invalidArgument(String, value: String, expected: String)
    case unexpectedArgument(String)
    /// A mistake that only the command itself can see, such as two options that exclude each other.
    case other(String)
  }

  /// The command whose line was being read, beginning with the name of the tool.
  public var path: [String]
  /// The mistake.
  public var reason: Reason

  /// A usage error of a command.
  public init(path: [String], reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// A mistake seen by the command itself.
  public init(_ invocation: Invocation, _ message: String) {
    self.init(path: invocation.path, reason: .other(message))
  }
}

extension UsageError: CustomStringConvertible {
  /// One sentence that names the offending word and, where there is one, the nearest known word.
  public var message: String {
    switch reason {
    case .unknownOption(let word, let nearest): "unknown option '\(word)'" + Self.suggestion(nearest)
    case .unknownCommand(let word, let nearest): "unknown command '\(word)'" + Self.suggestion(nearest)
    case .missingCommand(let known): "a command is missing; it is one of \(known.joined(separator: ", "))"
    case .missingValue(let option, let name): "option '\(option)' needs a value: \(option) \(name)"
    case .unexpectedValue(let option, let value): "option '\(option)' takes no value, but got '\(value)'"
    case .repeatedOption(let option): "option '\(option)' is given twice"
    case .invalidOption(let option, let value, let expected):
      "'\(value)' is not valid for '\(option)': expected \(expected)"
    case .invalidEnvironment(let variable, let value, let expected):
      "'\(value)' in the environment variable \(variable) is not valid: expected \(expected)"
    case .missingArgument(let name): "\(name.uppercased()) is missing"
    case .invalidArgument(let name, let value, let expected):
      "'\(value)' is not valid for \(name.uppercased()): expected \(expected)"
    case .unexpectedArgument(let word): "'\(word)' is one word too many"
    case .other(let message): message
    }
  }

  /// The message.
  public var description: String { message }

  private static func suggestion(_ nearest: String?) -> String {
    nearest.map { "; did you mean '\($0)'?" } ?? ""
  }
}
