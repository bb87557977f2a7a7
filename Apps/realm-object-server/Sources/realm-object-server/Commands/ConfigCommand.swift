import CommandLineKit
import Foundation
import ObjectServer

/// Settings, before they are used.
enum ConfigCommand {
  static let command = Command("config", summary: "Check settings.", subcommands: [check])

  private static let check = Command(
    "check", summary: "Read the settings as 'serve' would, and tell every mistake with file, line and remedy.",
    discussion: """
      Nothing is changed, and no server is disturbed. Ends with 2 if there is a mistake. Settings that allow more than the \
      default, or leave something unprotected, are listed as loose; each can be meant.
      """,
    options: ServeOptions.serving,
    arguments: [.optional("file", kind: .path, help: "A configuration file; that of --config unless given.")]
  ) { invocation, console in
    guard let path = invocation.argument("file") ?? invocation.text("config") else {
      return try describe(Settings(invocation, options: ServeOptions.all, file: nil), invocation, console)
    }
    do {
      let file = try ConfigurationFile.read(path)
      let problems = Settings.check(file, ServeOptions.all)
      guard problems.isEmpty else {
        if !invocation.flag("json") { for problem in problems { console.print("\(problem)") } }
        throw CommandFailure(
          "\(path) has \(problems.count) mistakes", exitCode: .usage, code: "badSettings",
          details: [("problems", .array(problems.map { .text("\($0)") }))])
      }
      try describe(Settings(invocation, options: ServeOptions.all, file: file), invocation, console)
    } catch let problem as ConfigurationFile.Problem {
      throw CommandFailure(problem.description, exitCode: .usage, code: "badSettings")
    }
  }

  /// Prints what would be used, once everything that the settings name was found usable.
  private static func describe(_ settings: Settings, _ invocation: Invocation, _ console: Console) throws {
    let plan = try ServePlan(settings)
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: plan.data, isDirectory: &isFolder) {
      guard isFolder.boolValue, access(plan.data, R_OK | W_OK | X_OK) == 0 else {
        throw CommandFailure(
          "\(settings.location(of: "data")): \(plan.data) is not a folder that may be written",
          remedy: "choose another, or give it to the server's user", exitCode: .usage, code: "badSettings")
      }
    }
    guard !invocation.flag("json") else {
      let values = ServeOptions.all.map { option in
        JSONOutput.object([
          ("setting", .text(option.name)), ("value", settings.shown(option.name).map { .text($0) } ?? .null),
          ("from", .text(settings.values[option.name]?.source.description ?? "default")),
        ])
      }
      let loose = LooseSetting.all(in: plan).map {
        JSONOutput.object([("setting", .text($0.name)), ("consequence", .text($0.consequence))])
      }
      return console.print(json: .object([("settings", .array(values)), ("loose", .array(loose))]))
    }
    var table = TextTable(columns: [.init("Setting"), .init("Value", shrinks: true), .init("From", shrinks: true)])
    for option in ServeOptions.all {
      let value = settings.values[option.name]
      table.rows.append([option.name, settings.shown(option.name) ?? "-", value?.source.description ?? "default"])
    }
    console.print(table)
    for loose in LooseSetting.all(in: plan) { console.print("loose: \(loose.name): \(loose.consequence)") }
    console.print("the settings can be used")
  }
}
