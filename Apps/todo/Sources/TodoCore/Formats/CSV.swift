import Foundation

/// Reads CSV with a line of headings, in any order; see ``CSVColumns`` for the names that are known.
enum CSVReader {
  static func read(_ lines: [FileText.Line]) -> ImportedFile {
    var file = ImportedFile()
    let csv = CSVRecords(lines)
    file.problems = csv.problems
    guard let first = csv.records.first else { return file }
    var rows = csv.records[...]
    let columns: CSVColumns
    if let header = CSVColumns(first.fields) {
      columns = header
      rows = rows.dropFirst()
    } else {
      columns = CSVColumns(titlesOnly: first.fields.count)
      file.report(first.line, "no heading 'title'; the first column is taken for titles")
    }
    for row in rows where !row.fields.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) {
      add(row, columns, to: &file)
    }
    return file
  }

  private static func add(_ row: CSVRecords.Record, _ columns: CSVColumns, to file: inout ImportedFile) {
    var fields = ItemFields(title: "")
    var list: String?
    var extra: [String] = []
    for (index, value) in row.fields.enumerated() {
      let meaning = columns.meanings.indices.contains(index) ? columns.meanings[index] : nil
      let heading = columns.headings.indices.contains(index) ? columns.headings[index] : "column \(index + 1)"
      let trimmed = value.trimmingCharacters(in: .whitespacesAndNewlines)
      if meaning == .title {
        fields.title = value
      } else if meaning == .notes {
        fields.notes = value
      } else if meaning == .list {
        list = Keys.listName(value)
      } else if !trimmed.isEmpty {
        if meaning.map({ set($0, trimmed, in: &fields) }) ?? false { continue }
        extra.append("\(heading): \(value)")
        if meaning != nil {
          file.report(row.line, "'\(value.prefix(60))' is not a valid \(heading); kept in the notes")
        }
      }
    }
    let titled = ItemFields(anyTitle: fields.title)
    if titled.title.allSatisfy(\.isWhitespace) {
      fields.title = "Untitled"
      file.report(row.line, "no title; called 'Untitled'")
    } else if titled.title != fields.title {
      extra.insert(titled.notes, at: 0)
      fields.title = titled.title
    }
    for line in extra { fields.addNote(line) }
    file.add(fields, to: list)
  }

  /// Sets a field; answers false where the value is not valid.
  private static func set(_ meaning: CSVColumns.Meaning, _ value: String, in fields: inout ItemFields) -> Bool {
    switch meaning {
    case .done:
      guard let done = done(value) else { return false }
      fields.isDone = done
    case .priority:
      guard let priority = priority(value) else { return false }
      fields.priority = priority
    case .due:
      guard let date = Timestamp.parse(value) else { return false }
      fields.due = Day(date)
    case .created:
      guard let date = Timestamp.parse(value) else { return false }
      fields.created = date
    case .completed:
      guard let date = Timestamp.parse(value) else { return false }
      fields.completed = date
    case .title, .notes, .list: return false
    }
    return true
  }

  private static func done(_ value: String) -> Bool? {
    switch value.lowercased() {
    case "x", "1", "true", "yes", "y", "done", "completed", "complete", "closed", "finished", "[x]": true
    case "0", "false", "no", "n", "open", "todo", "new", "pending", "needs-action", "in progress", "[ ]", "-": false
    default: nil
    }
  }

  private static func priority(_ value: String) -> Int? {
    if let letter = Priority.number(value) { return letter }
    switch value.lowercased() {
    case "none", "no": return 0
    case "high", "urgent": return 1
    case "medium", "normal": return 2
    case "low": return 3
    default: return Int(value).flatMap { (0...26).contains($0) ? $0 : nil }
    }
  }
}

/// Writes CSV with the headings list, title, done, priority, due, notes, created, completed; lines end with CRLF.
enum CSVWriter {
  static func write(_ lists: [ItemList]) -> String {
    let header = "list,title,done,priority,due,notes,created,completed\r\n"
    return header
      + lists.flatMap { list in
        list.items.map { item in
          let cells = [
            list.name, item.title, item.isDone ? "yes" : "no", Priority.letter(item.priority), item.due?.text ?? "",
            item.notes, item.created.map(Timestamp.text) ?? "", item.completed.map(Timestamp.text) ?? "",
          ]
          return cells.map(quoted).joined(separator: ",") + "\r\n"
        }
      }.joined()
  }

  private static func quoted(_ cell: String) -> String {
    let needsQuotes =
      cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D || $0 == 0x3B || $0 == 0x09 }
      || cell.first == " " || cell.last == " "
    return needsQuotes ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
  }
}
