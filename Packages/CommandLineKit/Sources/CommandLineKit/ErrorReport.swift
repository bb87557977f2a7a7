/// An error as a tool reports it: to people in words, to programs that asked for JSON as one line of it.
///
///     error: the file has no class 'Cat'
///       to do: use one of Dog, Person
///
///     {"error":{"code":"unknownClass","message":"the file has no class 'Cat'","remedy":"use one of Dog, Person"}}
///
/// Both go to standard error, so that standard output holds results alone, also where it was half written.
struct ErrorReport {
  private let error: any Error

  init(_ error: any Error) { self.error = error }

  var exitCode: ExitCode {
    switch error {
    case is UsageError: .usage
    case let failure as CommandFailure: failure.exitCode
    default: .failure
    }
  }

  /// The members `code`, `message` and, where there are such, `cause`, `remedy` and the details of the failure.
  var json: JSONOutput {
    var members: [(name: String, value: JSONOutput)] = []
    switch error {
    case let usage as UsageError:
      members = [
        ("code", "usage"), ("message", .text(usage.message)), ("remedy", .text(Self.advice(usage))),
      ]
    case let failure as CommandFailure:
      members = [("code", .text(failure.code)), ("message", .text(failure.message))]
      if let cause = failure.cause { members.append(("cause", .text("\(cause)"))) }
      if let remedy = failure.remedy { members.append(("remedy", .text(remedy))) }
      members += failure.details
    default: members = [("code", "failed"), ("message", .text("\(error)"))]
    }
    return .object([("error", .object(members))])
  }

  /// Prints the error.
  func print(to console: Console) {
    guard !console.isForPrograms else { return console.note(json: json) }
    switch error {
    case let usage as UsageError:
      console.report(ConsoleText(lines: usage.message))
      console.note("\(Self.advice(usage)).")
    case let failure as CommandFailure: console.report(failure.text)
    default: console.report(ConsoleText(lines: "\(error)"))
    }
  }

  private static func advice(_ usage: UsageError) -> String { "Try '\(usage.path.joined(separator: " ")) --help'" }
}
