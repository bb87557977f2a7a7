import CommandLineKit
import DataExchange
import Foundation
import ObjectStore

extension RealmTool {
  static let format = CommandOption.value(
    "format", kind: .choice(ExchangeFormat.allCases.map(\.rawValue)),
    help: "The format; otherwise the ending of the name says it: \(ExchangeFormat.endings).")

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
      let count = try Interruption.watching {
        try ProgressLine.following(console, unit: "objects") { line in
          try export.write(
            to: output, format: invocation.text("format").flatMap(ExchangeFormat.init(rawValue:)),
            progress: { try follow($0, line) })
        }
      }
      if invocation.flag("json") {
        console.print(json: .object([("objects", .integer(count)), ("output", .text(output))]))
      } else {
        console.print("wrote \(count) objects to \(output)")
      }
    }
  }

  static let generate = Command(
    "generate", summary: "Print model classes for a file's schema.",
    arguments: [
      .one(
        "language", kind: .choice(ModelGenerator.Language.allCases.map(\.rawValue)),
        help: "swift, kotlin, java, javascript, typescript, csharp or dart."),
      fileArgument,
    ]
  ) { invocation, console in
    let file = try open(invocation)
    try failing("cannot read \(invocation.argument("file") ?? "")") {
      let language = ModelGenerator.Language(rawValue: invocation.argument("language") ?? "") ?? .swift
      let code = ModelGenerator(language).code(for: try file.contents().schema)
      if invocation.flag("json") { return console.print(json: .object([("code", .text(code))])) }
      console.write(exactly: code)
    }
  }
}
