import CommandLineKit

extension TodoTool {
  private static let format = CommandOption.value(
    "format", kind: .choice(FileFormat.allCases.map(\.rawValue)),
    help: "The format of the file, if its name does not tell.")

  var importFile: Command {
    Command(
      "import", summary: "Read items from a todo.txt, Markdown or CSV file.",
      discussion: """
        Items go to the lists that the file names, others to --list, or to Inbox. Lines that cannot be understood \
        are reported with their number; everything else is imported.
        """,
      options: [Self.format], arguments: [.one("file", help: "The file; - for standard input.")]
    ) { invocation, console in
      let name = invocation.argument("file") ?? "-"
      let format = invocation.text("format").flatMap { FileFormat(rawValue: $0) }
      let file = Importer.read(try read(name), name: name == "-" ? "" : name, format: format)
      let shown = name == "-" ? "standard input" : name
      for problem in file.problems { console.note("\(shown): \(problem)") }
      guard file.count > 0 else {
        guard file.problems.contains(where: \.isSkipped) else {
          console.print("nothing to import in \(shown)")
          return
        }
        throw CommandFailure(
          "nothing could be imported from \(shown)", remedy: "check the file, or name its format with '--format'")
      }
      try withStore(invocation) { store in
        var random = numbers()
        let fallback = invocation.text("list").flatMap(Keys.listName) ?? "Inbox"
        let edit = ImportEdit.make(file, on: try store.board(), fallback: fallback, now: now(), using: &random)
        let names = Set(file.parts.map { $0.name ?? fallback }).sorted().joined(separator: ", ")
        let skipped = file.problems.count(where: \.isSkipped)
        let left: ConsoleText = skipped > 0 ? "; skipped \(skipped) line\(skipped == 1 ? "" : "s")" : ""
        try perform(edit, store, invocation, console) { state in
          console.print("imported \(file.count) item\(file.count == 1 ? "" : "s") into \(names)\(left)\(state.note)")
        }
      }
    }
  }

  var exportFile: Command {
    Command(
      "export", summary: "Write lists as a todo.txt, Markdown or CSV file.",
      options: [Self.format], arguments: [.optional("file", help: "The file; standard output if left out.")]
    ) { invocation, console in
      let name = invocation.argument("file") ?? "-"
      let format = invocation.text("format").flatMap { FileFormat(rawValue: $0) } ?? .detect(name: name, content: "")
      try withStore(invocation) { store in
        let board = try readBoard(store, invocation, console)
        let lists = try invocation.text("list").map { [try ItemSelector.list($0, on: board)] } ?? board.lists
        let text = Exporter.write(lists, as: format)
        if name == "-" {
          console.write(exactly: text)
        } else {
          try write(name, text)
          let count = lists.reduce(0) { $0 + $1.items.count }
          console.print("exported \(count) item\(count == 1 ? "" : "s") to \(name)")
        }
      }
    }
  }
}
