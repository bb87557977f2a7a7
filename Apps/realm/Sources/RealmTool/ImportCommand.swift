import CommandLineKit
import DataExchange
import Foundation
import RecordStore

extension RealmTool {
  static let importing = Command(
    "import", summary: "Read objects from a JSON file, CSV or a SQLite database into a realm.",
    discussion: """
      All objects come in, in one transaction, or none. An object whose key exists gets the values that are given and \
      keeps the others.

      A realm file that does not exist is made, and appears when the import is complete. Its classes are those of an \
      export, or are made from the values: a CSV file, or a JSON array, gives a class of its name; the first line of CSV \
      names the properties; true and false are bool, whole numbers int, other numbers double, ISO dates date, everything \
      else string, and a column with empty cells is optional. Tables of a SQLite database become classes, foreign keys \
      links.

        realm import cities.realm cities.csv
        realm import pets.realm dogs.json --class Dog --key id
      """,
    options: [
      format,
      .value("class", help: "The class of the objects of a JSON array or of one CSV file."),
      .value("key", valueName: "PROPERTY", help: "The primary key of a class that is made."),
      .flag("create", help: "Make classes that an existing realm lacks."),
      .flag("skip-bad", help: "Leave out objects that do not fit, and report them."),
    ],
    arguments: [fileArgument, .one("input", help: "What to read.")]
  ) { invocation, console in
    let path = invocation.argument("file") ?? ""
    let input = invocation.argument("input") ?? ""
    guard FileManager.default.fileExists(atPath: input) else {
      throw CommandFailure(
        "there is no file \(input)", remedy: "check the name", code: "noSuchFile", details: [("file", .text(input))])
    }
    let isNew = !FileManager.default.fileExists(atPath: path)
    var work = RealmImport(
      path: input, format: invocation.text("format").flatMap(ExchangeFormat.init(rawValue:)),
      className: invocation.text("class"), skipsBadObjects: invocation.flag("skip-bad"))
    work.makesClasses = isNew || invocation.flag("create")
    work.primaryKey = invocation.text("key")
    let report = try Interruption.watching {
      try ProgressLine.following(console, unit: "objects") { line in
        if isNew { return try importing(work, into: path, key: key(invocation, "key-file"), line) }
        let file = try open(invocation, writable: true)
        return try failing("cannot import \(input)") { try run(work, file, line) }
      }
    }
    tell(report, path, isNew, invocation, console)
  }

  /// Imports into a file that appears under its name when it is complete.
  private static func importing(
    _ work: RealmImport, into path: String, key: [UInt8]?, _ line: ProgressLine
  ) throws -> ImportReport {
    let folder = path + ".draft-" + String(UInt64.random(in: .min ... .max), radix: 36)
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    } catch {
      throw CommandFailure(
        "cannot make \(path)", remedy: "check that its folder exists and may be written", code: "fileAccess",
        details: [("file", .text(path))])
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try failing("cannot import \(work.path)") {
      let file = try RealmFile.open(
        .file(path: folder + "/realm"), options: RealmFile.Options(isDurable: false, encryptionKey: key))
      let report = try run(work, file, line)
      try file.writeCopy(toPath: path, encryptionKey: key)
      return report
    }
  }

  private static func run(_ work: RealmImport, _ file: RealmFile, _ line: ProgressLine) throws -> ImportReport {
    do {
      return try work.run(into: file) { try follow($0, line) }
    } catch let error as ExchangeError where error.message.hasPrefix("there is no class") && !work.makesClasses {
      throw CommandFailure(
        "\(error)", remedy: "name one with '--class', or let it be made with '--create'", code: "unknownClass")
    }
  }

  /// Shows a step of an import or export, and ends it after Ctrl-C.
  static func follow(_ progress: ExchangeProgress, _ line: ProgressLine) throws {
    try Interruption.check()
    let label =
      switch progress.phase {
      case .inferring: "looking at the values"
      case .checking: "checking"
      case .findingKeys: "finding keys"
      case .writing: "writing"
      }
    line.update(label, count: progress.count, share: progress.share)
  }

  private static func tell(
    _ report: ImportReport, _ path: String, _ isNew: Bool, _ invocation: Invocation, _ console: Console
  ) {
    for problem in report.problems { console.note("skipped: \(problem)") }
    if invocation.flag("json") {
      console.print(
        json: .object([
          ("created", .integer(report.created)), ("updated", .integer(report.updated)),
          ("skipped", .integer(report.skipped)), ("file", .text(path)), ("isNew", .boolean(isNew)),
        ]))
    } else {
      let skipped = report.skipped > 0 ? ", \(report.skipped) left out" : ""
      console.print("\(report.created) objects made, \(report.updated) updated\(skipped)")
    }
  }
}
