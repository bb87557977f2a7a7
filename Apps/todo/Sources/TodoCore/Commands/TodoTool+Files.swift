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
        are reported with their number; everything else is imported. A list that --list names must exist, unless \
        --create is given; lists that the file names are made. A file that is no text is refused, unless its format is \
        named.
        """,
      options: [Self.format, .flag("create", help: "Make the list that --list names.")],
      arguments: [.one("file", kind: .path, help: "The file; - for standard input.")]
    ) { invocation, console in
      let name = invocation.argument("file") ?? "-"
      let format = invocation.text("format").flatMap { FileFormat(rawValue: $0) }
      let shown = name == "-" ? "standard input" : name
      let bytes = try read(name)
      if format == nil { try checkText(bytes, shown) }
      let file = Importer.read(bytes, name: name == "-" ? "" : name, format: format)
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
        let board = try invocation.text("list") == nil ? store.board() : readBoard(store, invocation, console)
        try checkList(invocation, on: board)
        let edit = ImportEdit.make(file, on: board, fallback: fallback, now: now(), using: &random)
        let names = Set(file.parts.map { $0.name ?? fallback }).sorted().joined(separator: ", ")
        let skipped = file.problems.count(where: \.isSkipped)
        let left: ConsoleText = skipped > 0 ? "; skipped \(skipped) line\(skipped == 1 ? "" : "s")" : ""
        try perform(edit, store, invocation, console) { state in
          console.print("imported \(file.count) item\(file.count == 1 ? "" : "s") into \(names)\(left)\(state.note)")
        }
      }
    }
  }

  /// Refuses bytes that are no text: those of another program would else become items.
  private func checkText(_ bytes: [UInt8], _ name: String) throws {
    guard let position = FileText.strayByte(in: bytes) else { return }
    throw CommandFailure(
      "\(name) is no text: byte \(position + 1) is \(bytes[position])",
      remedy: "check the name; '--format' imports it all the same", code: "badData",
      details: [("file", .text(name)), ("byte", .integer(position + 1))])
  }

  /// Refuses a list that does not exist and is not to be made.
  func checkList(_ invocation: Invocation, on board: Board) throws {
    guard let name = invocation.text("list"), board.list(named: name) == nil, !invocation.flag("create"),
      name.lowercased() != "inbox"
    else { return }
    let known = board.lists.map(\.name)
    throw CommandFailure(
      "there is no list '\(name)'" + NearestWord.suggestion(for: name, among: known),
      remedy: "'todo lists' shows them; '--create' makes it", code: "noSuchList")
  }

  var exportFile: Command {
    Command(
      "export", summary: "Write lists as a todo.txt, Markdown or CSV file.",
      options: [Self.format],
      arguments: [.optional("file", kind: .path, help: "The file; standard output if left out.")]
    ) { invocation, console in
      let name = invocation.argument("file") ?? "-"
      let format = try exportFormat(of: name, invocation)
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

  /// The format that an option or the ending of a name says; todo.txt for standard output.
  private func exportFormat(of name: String, _ invocation: Invocation) throws -> FileFormat {
    if let format = invocation.text("format").flatMap({ FileFormat(rawValue: $0) }) { return format }
    guard name != "-" else { return .todotxt }
    if let format = FileFormat(ending: name) { return format }
    throw CommandFailure(
      "the ending of '\(name)' names no format",
      remedy: "use .txt, .md, .markdown, .csv or .tsv, or name one with '--format'",
      code: "badFormat")
  }
}
