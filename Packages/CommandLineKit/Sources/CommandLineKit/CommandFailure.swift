/// An operating error as a tool reports it: what happened, what the reader can do, and the cause.
///
///     error: cannot listen on port 9080: address already in use
///       to do: stop the other server, or choose another port with '--port'
public struct CommandFailure: Error, Sendable {
  /// The failure in a sentence, without a full stop.
  public var message: String
  /// Advice to the reader.
  public var remedy: String?
  /// The error below this one.
  public var cause: (any Error)?
  /// The exit code. ``ExitCode/failure`` unless the tool has a reason.
  public var exitCode: ExitCode
  /// The kind of the failure in one word, for programs.
  public var code: String
  /// Further members of the error for programs, such as a file and a line.
  public var details: [(name: String, value: JSONOutput)]

  /// An operating error.
  public init(
    _ message: String, remedy: String? = nil, cause: (any Error)? = nil, exitCode: ExitCode = .failure,
    code: String = "failed", details: [(name: String, value: JSONOutput)] = []
  ) {
    self.message = message
    self.remedy = remedy
    self.cause = cause
    self.exitCode = exitCode
    self.code = code
    self.details = details
  }
}

extension CommandFailure: CustomStringConvertible {
  /// Message, cause and remedy as plain text.
  public var description: String {
    var text = message
    if let cause { text += ": \(cause)" }
    if let remedy { text += "\n  to do: \(remedy)" }
    return text
  }

  /// The description as it is printed: message and cause may be those of peers and files.
  var text: ConsoleText {
    let remedy: ConsoleText = remedy.map { "\n  to do: " + ConsoleText(lines: $0, indent: 4) } ?? ""
    return ConsoleText(lines: message + (cause.map { ": \($0)" } ?? "")) + remedy
  }
}
