import CommandLineKit
import Foundation

/// The settings of the operator: from the command line, else the environment, else the configuration file, else the default.
struct Settings: Sendable {
  /// The source of a value.
  enum Source: Hashable, Sendable, CustomStringConvertible {
    case flag
    case environment(String)
    case file(String, line: Int)
    case standard

    var description: String {
      switch self {
      case .flag: "command line"
      case .environment(let variable): "environment \(variable)"
      case .file(let path, let line): "\(path):\(line)"
      case .standard: "default"
      }
    }
  }

  private(set) var values: [String: (text: String, source: Source)] = [:]
  /// The sections of the configuration file, and its path.
  private(set) var sections: [ConfigurationFile.Section] = []
  private(set) var path = ""

  /// Resolves every option in `options`.
  ///
  /// - Throws: the first ``ConfigurationFile/Problem`` of the file; see ``check(_:_:)`` for all of them.
  init(_ invocation: Invocation, options: [CommandOption], file: ConfigurationFile?) throws {
    if let problem = Self.check(file, options).first { throw problem }
    sections = file?.sections ?? []
    path = file?.path ?? ""
    for option in options {
      let given = option.isFlag ? (invocation.flag(option.name) ? "true" : nil) : invocation.text(option.name)
      switch invocation.source(of: option.name) {
      case .commandLine: values[option.name] = given.map { ($0, .flag) }
      case .environment: values[option.name] = given.map { ($0, .environment(option.environment ?? "")) }
      case .defaultValue, nil:
        if let file, let entry = file.entries.first(where: { $0.name == option.name }) {
          values[option.name] = (entry.value, .file(file.path, line: entry.line))
        } else if let value = option.defaultValue {
          values[option.name] = (value, .standard)
        }
      }
    }
  }

  /// All problems of a file: unreadable lines, unknown names, values out of range.
  static func check(_ file: ConfigurationFile?, _ options: [CommandOption]) -> [ConfigurationFile.Problem] {
    guard let file else { return [] }
    var problems = file.problems
    for entry in file.entries {
      guard let option = options.first(where: { $0.name == entry.name && $0.name != "config" }) else {
        let known = options.map(\.name).filter { $0 != "config" }
        let remedy =
          NearestWord.nearest(to: entry.name, among: known).map { "did you mean '\($0)'?" }
          ?? "'realm-object-server serve --help' lists the settings; leave out the two hyphens"
        problems.append(file.problem(entry.line, "there is no setting '\(entry.name)'", remedy))
        continue
      }
      if let expected = option.kind.expectation(violatedBy: entry.value) {
        problems.append(
          file.problem(entry.line, "'\(entry.value)' is no value of '\(entry.name)'", "give \(expected)"))
      }
    }
    for section in file.sections {
      let known = ProviderSections.names[section.kind] ?? []
      for entry in section.entries where !known.contains(entry.name) {
        problems.append(
          file.problem(
            entry.line, "a section [\(section.kind).…] has no setting '\(entry.name)'",
            "its settings are \(known.joined(separator: ", "))"))
      }
    }
    return problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  func text(_ name: String) -> String? { values[name]?.text }
  /// The parts of a comma-separated value, trimmed.
  func list(_ name: String) -> [String] {
    (text(name) ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
  func integer(_ name: String) -> Int? { text(name).flatMap { Int($0) } }
  func flag(_ name: String) -> Bool { ["true", "1", "yes", "on"].contains(text(name)?.lowercased() ?? "") }
  func seconds(_ name: String) -> Duration? { integer(name).map { .seconds($0) } }

  /// A value as people may see it: without the password in an address.
  func shown(_ name: String) -> String? {
    text(name)?.replacing(/:\/\/([^:@\/?]*):[^@\/?]*@/) { "://\($0.output.1):…@" }
      .replacing(/(password|sslpassword)=[^&]*/) { "\($0.output.1)=…" }
  }

  /// Whether nobody has set a value.
  func isDefault(_ name: String) -> Bool { values[name].map { $0.source == .standard } ?? true }

  /// The location of a setting for error messages: the option, the variable, or file and line.
  func location(of name: String) -> String {
    switch values[name]?.source {
    case .environment(let variable): variable
    case .file(let path, let line): "\(path):\(line): \(name)"
    case .flag, .standard, nil: "--\(name)"
    }
  }
}
