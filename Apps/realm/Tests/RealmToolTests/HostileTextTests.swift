import CommandLineKit
import DataModel
import Foundation
import RecordStore
import RealmTool
import TestKit
import Testing

@Suite struct HostileTextTests {
  /// Realm files whose texts, names of classes and of properties are hostile where the format lets them.
  struct Den: ~Copyable {
    let folder = NSTemporaryDirectory() + "realm-hostile-" + UUID().uuidString
    var file: String { folder + "/a.realm" }
    var other: String { folder + "/b.realm" }

    init(_ texts: [String]) throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      for (path, prefix) in [(file, ""), (other, "other")] {
        try RealmFile.open(.file(path: path)).edit { editor in
          try editor.addClasses(
            Schema([
              ObjectSchema(
                className: "Note", primaryKey: "id",
                properties: [
                  Property(name: "id", type: .string, isIndexed: true), Property(name: "text\u{1B}[2J", type: .string),
                  Property(name: "tags\u{202E}", type: .string, collection: .list),
                ])
            ]))
          for text in texts {
            let note = ObjectReference(className: "Note", key: .string(text))
            try editor.create(note)
            try editor.set(["text\u{1B}[2J": .value(.string(prefix + text))], of: note)
          }
        }
      }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// The command lines to try on two files with one hostile text, each subcommand at least once.
  private func commandLines(_ a: String, _ b: String, _ out: String, _ text: String) -> [[String]] {
    [
      ["inspect", a], ["schema", a], ["schema", a, text], ["query", a, "Note"], ["query", a, "Note", text],
      ["query", a, text], ["query", a, "Note", "--fields", text],
      ["query", a, "Note", "id = '\(text)'", "--explain"],
      ["diff", a, b], ["verify", a], ["changeset", "print", a], ["inspect", text], ["inspect", out + text],
      ["export", a, out + text], ["import", a, out + text], ["copy", a, out + "copy" + text], ["compact", a],
      ["generate", text, a],
      ["inspect", a, "--key-file", text], [text], ["--" + text], ["query", a, "Note", "--json"],
      ["diff", a, b, "--json"], ["schema", a, "--json"], ["inspect", a, "--json"], ["export", a, "-"],
      ["set", a, "Note", text, text + "=1"], ["delete", a, "Note", text], ["clone", a, out + "clone" + text],
      ["clone", "realm://localhost:1/" + text, out], ["browse", out + text], ["browse", text + "://x"],
      ["studio", out + text], ["studio", out + text, "--port", text],
      ["graphql", a, text], ["graphql", a, "{ \(text) }"], ["graphql", text, "{ notes { id } }"],
      ["graphql", a, "{ notes { id } }"], ["graphql", a, "--schema"],
    ]
  }

  @Test func nothingHostileReachesTheTerminal() async throws {
    let den = try Den(HostileText.table)
    let (a, b, out) = (den.file, den.other, den.folder + "/out")
    for columns in [nil, 100] {
      for text in ["x\u{1B}[2J\u{202E}\u{9B}"] + HostileText.table.prefix(6) {
        for words in commandLines(a, b, out, text) {
          let capture = Capture()
          _ = await RealmTool.command.run(words, environment: [:], console: capture.console(columns: columns))
          #expect(HostileText.harm(in: capture.output) == nil, "\(words)")
          #expect(HostileText.harm(in: capture.errors) == nil, "\(words)")
        }
      }
    }
  }

  @Test func everySubcommandIsTried() {
    let tried = commandLines("a", "b", "out", "text")
    for command in RealmTool.command.subcommands {
      let leaves = command.subcommands.isEmpty ? [[command.name]] : command.subcommands.map { [command.name, $0.name] }
      for leaf in leaves { #expect(tried.contains { $0.starts(with: leaf) }, "\(leaf)") }
    }
  }

  @Test func jsonAndFilesAreExact() throws {
    let den = try Den(HostileText.table)
    let capture = Capture()
    _ = RealmTool.command.runSynchronously(
      ["query", den.file, "Note", "--json"], environment: [:], console: capture.console())
    let keys = try capture.output.split(separator: "\n").map { line in
      (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["id"] as? String ?? ""
    }
    #expect(Set(keys.map { Array($0.utf8) }) == Set(HostileText.table.map { Array($0.utf8) }))
    let csv = Capture()
    _ = RealmTool.command.runSynchronously(
      ["query", den.file, "Note", "--csv"], environment: [:], console: csv.console())
    for text in HostileText.table where !text.contains("\"") {
      #expect(csv.output.unicodeScalars.map(\.value).contains(text.unicodeScalars.map(\.value)))
    }
  }
}
