import CommandLineKit
import DataExchange
import Foundation
import ObjectStore

extension RealmTool {
  private static let format = CommandOption.value(
    "format", kind: .choice(ExchangeFormat.allCases.map(\.rawValue)),
    help: "The format; otherwise the ending of the name says it: .json, .csv for a folder, .sqlite.")

  static let export = Command(
    "export", summary: "Write all objects to a JSON file, a folder of CSV files or a SQLite database.",
    options: [
      format, .value("class", help: "Only the objects of this class.", repeats: true),
    ],
    arguments: [fileArgument, .one("output", help: "What to write; '-' prints JSON.")]
  ) { invocation, console in
    let file = try open(invocation)
    let output = invocation.argument("output") ?? ""
    try failing("cannot export") {
      let contents = try file.contents()
      let names = invocation.texts("class")
      for name in names where contents.schema[name] == nil { throw unknownClass(name, contents.schema) }
      let export = RealmExport(contents, classNames: names.isEmpty ? nil : Set(names))
      if output == "-" {
        _ = try export.writeJSON { console.writeJSON($0) }
        return
      }
      let count = try export.write(
        to: output, format: invocation.text("format").flatMap(ExchangeFormat.init(rawValue:)))
      if invocation.flag("json") {
        console.print(json: .object([("objects", .integer(count)), ("output", .text(output))]))
      } else {
        console.print("wrote \(count) objects to \(output)")
      }
    }
  }

  static let importing = Command(
    "import", summary: "Read objects from a JSON file, CSV or a SQLite database into a realm.",
    discussion: """
      All objects come in, in one transaction, or none. An object whose key exists gets the values that are given and \
      keeps the others. A file that does not exist is made.
      """,
    options: [
      format,
      .value("class", help: "The class of the objects of a JSON array or of one CSV file."),
      .flag("skip-bad", help: "Leave out objects that do not fit, and report them."),
    ],
    arguments: [fileArgument, .one("input", help: "What to read.")]
  ) { invocation, console in
    let path = invocation.argument("file") ?? ""
    let isNew = !FileManager.default.fileExists(atPath: path)
    let input = invocation.argument("input") ?? ""
    guard FileManager.default.fileExists(atPath: input) else {
      throw CommandFailure("there is no file \(input)", remedy: "check the name")
    }
    do {
      let file = try open(invocation, creating: true)
      let report = try failing("cannot import \(input)") {
        try RealmImport(
          path: input, format: invocation.text("format").flatMap(ExchangeFormat.init(rawValue:)),
          className: invocation.text("class"), skipsBadObjects: invocation.flag("skip-bad")
        ).run(into: file)
      }
      for problem in report.problems { console.note("skipped: \(problem)") }
      if invocation.flag("json") {
        console.print(
          json: .object([
            ("created", .integer(report.created)), ("updated", .integer(report.updated)),
            ("skipped", .integer(report.skipped)),
          ]))
      } else {
        let skipped = report.skipped > 0 ? ", \(report.skipped) left out" : ""
        console.print("\(report.created) objects made, \(report.updated) updated\(skipped)")
      }
    } catch {
      // A file that was made for an import that failed is no realm that anybody asked for.
      if isNew { _ = try? Realm.deleteFiles(for: Realm.Configuration(fileURL: URL(fileURLWithPath: path))) }
      throw error
    }
  }

  static let generate = Command(
    "generate", summary: "Print model classes for a file's schema.",
    arguments: [
      .one(
        "language", kind: .choice(ModelGenerator.Language.allCases.map(\.rawValue)),
        help: "swift, kotlin, typescript or csharp."),
      fileArgument,
    ]
  ) { invocation, console in
    let file = try open(invocation)
    try failing("cannot read \(invocation.argument("file") ?? "")") {
      let language = ModelGenerator.Language(rawValue: invocation.argument("language") ?? "") ?? .swift
      console.write(exactly: ModelGenerator(language).code(for: try file.contents().schema))
    }
  }
}
