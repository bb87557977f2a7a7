/// The reason why a screen cannot be opened or kept.
public struct TerminalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of trouble.
  public enum Code: Equatable, Sendable {
    case notATerminal, unknownType, noDescriptors, inputEnded
  }

  /// The kind of trouble.
  public var code: Code
  /// The failure in a sentence, with advice.
  public var message: String

  /// The message.
  public var description: String { message }

  static let notATerminal = TerminalError(
    code: .notATerminal,
    message: "standard input and output are not a terminal; start the program in one, or use its commands")
  static let unknownType = TerminalError(
    code: .unknownType,
    message: "this type of terminal is not known; set TERM to one that is, such as xterm-256color")
  static let noDescriptors = TerminalError(
    code: .noDescriptors, message: "the process has no file descriptors left; close files or raise 'ulimit -n'")
  static let inputEnded = TerminalError(code: .inputEnded, message: "the terminal has gone away")
}
