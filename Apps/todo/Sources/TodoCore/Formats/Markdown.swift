import Foundation

/// Reads Markdown task lists.
///
///     # Groceries                     a list
///     - [ ] (A) Milk due:2026-11-21   a task
///       two bottles                   its notes
///       - [x] Oat milk                a task below another: the notes say `under: Milk`
///
/// Text between tasks goes to the notes of the task before it, or after it where there is none before.
enum MarkdownReader {
  static func read(_ lines: [FileText.Line]) -> ImportedFile {
    var reading = Reading()
    for line in lines { reading.take(line) }
    return reading.finish()
  }

  private struct Reading {
    var file = ImportedFile()
    var name: String?
    /// The task being read, where it began, and its notes so far.
    var open: (fields: ItemFields, list: String?, indent: Int)?
    var notes: [String] = []
    var blanks = 0
    /// Text before the first task.
    var early: [FileText.Line] = []
    /// The tasks around the one being read, by indentation.
    var parents: [(indent: Int, title: String)] = []
    var isInFence = false

    mutating func take(_ line: FileText.Line) {
      let parsed = MarkdownLine(line.text)
      if isInFence || parsed == .fence {
        if parsed == .fence { isInFence.toggle() }
        return addText(line, line.text)
      }
      switch parsed {
      case .blank: blanks += 1
      case .heading(let heading):
        close()
        name = heading
        parents = []
      case .task(let indent, let isDone, let text): begin(line, indent, isDone, text)
      case .text(let indent, let text):
        let surplus = max(0, indent - (open?.indent ?? 0) - 2)
        addText(line, String(repeating: " ", count: min(surplus, 40)) + text)
      case .fence: break
      }
    }

    private mutating func addText(_ line: FileText.Line, _ text: String) {
      if open == nil {
        early.append(FileText.Line(number: line.number, text: text))
      } else {
        if !notes.isEmpty { notes += Array(repeating: "", count: min(blanks, 100)) }
        notes.append(unescaped(text))
      }
      blanks = 0
    }

    private mutating func begin(_ line: FileText.Line, _ indent: Int, _ isDone: Bool, _ text: String) {
      close()
      let task = TaskText(text)
      for doubt in task.doubts { file.report(line.number, doubt) }
      guard !task.fields.title.isEmpty else {
        file.report(line.number, "no title in '\(line.text.prefix(60))'", isSkipped: true)
        return
      }
      var fields = task.fields
      fields.isDone = isDone
      parents.removeAll { $0.indent >= indent }
      if let parent = parents.last { fields.addNote("under: " + parent.title) }
      for line in early { fields.addNote(line.text) }
      early = []
      parents.append((indent, fields.title))
      open = (fields, task.list ?? name, indent)
    }

    private mutating func close() {
      blanks = 0
      guard let (begun, list, _) = open else { return }
      var fields = begun
      if !notes.isEmpty { fields.addNote(notes.joined(separator: "\n")) }
      file.add(fields, to: list)
      open = nil
      notes = []
    }

    /// The writer puts a backslash before note lines that would be something else.
    private func unescaped(_ text: String) -> String { text.hasPrefix("\\") ? String(text.dropFirst()) : text }

    mutating func finish() -> ImportedFile {
      close()
      for line in early { file.report(line.number, "not a task: '\(line.text.prefix(60))'", isSkipped: true) }
      return file
    }
  }
}

/// Writes Markdown task lists: a heading per list, notes indented below their task.
enum MarkdownWriter {
  static func write(_ lists: [ItemList]) -> String {
    lists.map { list in
      let heading = Keys.listName(list.name) ?? "Untitled"
      return "# \(heading)\n\n" + list.items.map { task($0.fields) }.joined()
    }.joined(separator: "\n")
  }

  static func task(_ fields: ItemFields) -> String {
    var tail: [String] = []
    if let due = fields.due { tail.append("due:" + due.text) }
    if let completed = fields.completed { tail.append("done:" + Day(completed).text) }
    if let created = fields.created { tail.append("created:" + Day(created).text) }
    let asWord = !canIndent(fields.notes)
    if asWord { tail.append("note:" + WordEscape.encode(fields.notes)) }
    let head = fields.priority > 0 ? ["(\(Priority.letter(fields.priority)))"] : []
    let title = TaskText.title(fields.title) { title in
      let words = (head + [title] + tail).joined(separator: " ")
      guard !words.contains(where: \.isNewline), case .task(_, _, let text) = MarkdownLine("- [ ] " + words) else {
        return false
      }
      let task = TaskText(text)
      return task.fields.title == fields.title && task.fields.priority == fields.priority && task.list == nil
        && task.fields.due == fields.due && task.fields.notes == (asWord ? fields.notes : "")
        && task.fields.completed.map(Day.init) == fields.completed.map(Day.init)
        && task.fields.created.map(Day.init) == fields.created.map(Day.init)
    }
    let line = "- [\(fields.isDone ? "x" : " ")] " + (head + [title] + tail).joined(separator: " ") + "\n"
    return asWord || fields.notes.isEmpty ? line : line + indented(fields.notes)
  }

  /// Whether notes keep their shape as indented lines; others are written as one `note:` word.
  private static func canIndent(_ notes: String) -> Bool {
    if notes.isEmpty { return true }
    let lines = notes.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return !notes.contains("\r") && lines.first?.isEmpty == false && lines.last?.isEmpty == false
      && lines.count <= 100
      && lines.allSatisfy { line in
        !(line.first?.isWhitespace ?? false) && !(line.last?.isWhitespace ?? false)
          && !line.contains { $0.isNewline || $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
      }
  }

  private static func indented(_ notes: String) -> String {
    notes.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.isEmpty { return "\n" }
      if case .text = MarkdownLine(String(line)), !line.hasPrefix("\\") { return "  \(line)\n" }
      return "  \\\(line)\n"
    }.joined()
  }
}
