/// A fault in the handling of events.
public struct EventError: Error, Sendable, CustomStringConvertible {
  /// The kind of a fault.
  public enum Code: String, Sendable {
    /// A path pattern is no regular expression.
    case badPattern
    /// Two handlers have one name, or a name is empty or too long.
    case badName
    /// The working directory cannot be used.
    case workingDirectory
    /// The server of a notifier cannot be reached, or refuses its user.
    case server
    /// Work that is possible only in the process of the server.
    case notHere
    /// A webhook is configured wrongly.
    case badWebhook
    /// The receiver of a webhook did not accept an event.
    case notAccepted
  }

  /// The kind.
  public var code: Code
  /// The fault in one sentence.
  public var message: String
  /// The way out.
  public var remedy: String
  /// The error below, if there is one.
  public var cause: (any Error)?

  init(_ code: Code, _ message: String, remedy: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    self.cause = cause
  }

  /// Message, cause and remedy.
  public var description: String {
    message + (cause.map { ": \($0)" } ?? "") + "; " + remedy
  }
}
