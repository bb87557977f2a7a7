import CommandLineKit
import DataExchange
import DataModel
import ObjectStore

extension RealmTool {
  static let verify = Command(
    "verify", summary: "Read every page and every object and check what can be checked.", arguments: [fileArgument]
  ) { invocation, console in
    let file = try open(invocation, writable: true)
    try failing("\(invocation.argument("file") ?? "") is damaged") {
      let report = try Interruption.watching {
        try ProgressLine.following(console, unit: "steps") { line in
          try file.verify { done, known in
            try Interruption.check()
            line.update("reading", count: done, share: Double(done) / Double(max(1, known)))
          }
        }
      }
      if invocation.flag("json") {
        return console.print(
          json: .object([
            ("objects", .integer(report.objects)), ("nodes", .integer(report.nodes)),
            ("indexEntries", .integer(report.indexEntries)), ("unresolvedLinks", .integer(report.unresolvedLinks)),
          ]))
      }
      console.print(
        "sound: \(report.objects) objects, \(report.nodes) nodes, \(report.indexEntries) index entries"
          + (report.unresolvedLinks > 0 ? ", \(report.unresolvedLinks) links to objects that do not exist" : ""))
    }
  }

  static let compact = Command(
    "compact", summary: "Give the space of deleted and replaced data back to the file system.",
    arguments: [fileArgument]
  ) { invocation, console in
    let file = try open(invocation, writable: true)
    try failing("cannot compact \(invocation.argument("file") ?? "")") {
      let before = try file.statistics().fileSize
      try ProgressLine.following(console, unit: "kB") { line in
        try file.compact { line.update("rewriting", bytes: Int($0 * Double(before)), of: before) }
      }
      let after = try file.statistics().fileSize
      if invocation.flag("json") {
        return console.print(json: .object([("before", .integer(before)), ("after", .integer(after))]))
      }
      console.print("\(size(before)) before, \(size(after)) now")
    }
  }

  static let copy = Command(
    "copy", summary: "Write a compact copy of the latest version, with its history, to a new file.",
    discussion: "The copy is encrypted as the file is, unless an option says otherwise.",
    options: [
      .value("target-key-file", valueName: "FILE", help: "Encrypt the copy with this key."),
      .flag("decrypt", help: "Write the copy of an encrypted file in clear."),
    ],
    arguments: [fileArgument, .one("target", help: "The new file.")]
  ) { invocation, console in
    let newKey = try key(invocation, "target-key-file")
    guard newKey == nil || !invocation.flag("decrypt") else {
      throw UsageError(invocation, "'--target-key-file' and '--decrypt' exclude each other")
    }
    let file = try open(invocation, writable: true)
    let target = invocation.argument("target") ?? ""
    try failing("cannot copy to \(target)") {
      let key = invocation.flag("decrypt") ? nil : newKey ?? file.options.encryptionKey
      try Interruption.watching {
        try ProgressLine.following(console, unit: "nodes") { line in
          try file.writeCopy(toPath: target, encryptionKey: key) { done, known in
            try Interruption.check()
            line.update("copying", count: done, share: Double(done) / Double(max(1, known)))
          }
        }
      }
      if invocation.flag("json") { return console.print(json: .object([("target", .text(target))])) }
      console.print("wrote \(target)")
    }
  }

  static let diff = Command(
    "diff", summary: "Print what differs between two files: classes, properties, objects, values.",
    discussion: "Exits with 1 when something differs. '-' is only in the first file, '+' only in the second.",
    arguments: [fileArgument, .one("other", help: "The other realm file.")]
  ) { invocation, console in
    let left = try open(invocation)
    let right = try open(invocation, argument: "other")
    let count = try failing("cannot compare") {
      try RealmDifference(left.contents(), right.contents()).forEach { entry in
        invocation.flag("json")
          ? console.writeJSON(json(entry).text + "\n") : console.print("\(entry)")
      }
    }
    guard count == 0 else {
      throw CommandFailure("\(count) difference\(count == 1 ? "" : "s")", code: "different")
    }
  }

  private static func json(_ entry: RealmDifference.Entry) -> JSONOutput {
    func object(_ kind: String, _ reference: ObjectReference, _ more: [(String, JSONOutput)] = []) -> JSONOutput {
      .object(
        [
          ("difference", .text(kind)), ("class", .text(reference.className)), ("key", .text("\(reference.key)")),
        ] + more.map { (name: $0.0, value: $0.1) })
    }
    switch entry {
    case .schema(let line): return .object([("difference", .text("schema")), ("text", .text(line))])
    case .removed(let reference): return object("removed", reference)
    case .added(let reference): return object("added", reference)
    case .changed(let reference, let fields):
      let values = fields.map { field in
        JSONOutput.object([
          ("property", .text(field.name)), ("left", field.left.map { .text("\($0)") } ?? .null),
          ("right", field.right.map { .text("\($0)") } ?? .null),
        ])
      }
      return object("changed", reference, [("fields", .array(values))])
    }
  }
}
