/// The columns of a CSV file, by their headings in any order and case.
struct CSVColumns: Equatable {
  enum Meaning: Equatable, CaseIterable {
    case list, title, done, priority, due, notes, created, completed

    var headings: Set<String> {
      switch self {
      case .list: ["list", "project", "category", "folder"]
      case .title: ["title", "task", "name", "subject", "summary", "item", "content", "text"]
      case .done: ["done", "status", "state", "complete", "isdone", "is done", "checked"]
      case .priority: ["priority", "pri", "importance"]
      case .due: ["due", "due date", "duedate", "due_date", "deadline"]
      case .notes: ["notes", "note", "description", "details", "comment", "comments"]
      case .created: ["created", "created at", "created_at", "creation date", "date created", "created date"]
      case .completed:
        [
          "completed", "completed at", "completed_at", "completion date", "completedat", "completed date",
          "date completed",
        ]
      }
    }
  }

  /// The meaning of each column; nil for a column that has none, which goes to the notes under its heading.
  var meanings: [Meaning?]
  var headings: [String]

  /// Reads a record of headings; nil if it is none, for lack of a title.
  init?(_ record: [String]) {
    headings = record
    var known: [Meaning?] = []
    for heading in record {
      let word = heading.trimmingPrefix { $0.isWhitespace }.lowercased().split(separator: " ").joined(separator: " ")
      let meaning = Meaning.allCases.first { $0.headings.contains(word) }
      known.append(known.contains(meaning) ? nil : meaning)
    }
    meanings = known
    guard meanings.contains(.title) else { return nil }
  }

  /// The columns of a file without headings: only titles.
  init(titlesOnly count: Int) {
    meanings = [.title] + Array(repeating: nil, count: max(0, count - 1))
    headings = (1...max(1, count)).map { "column \($0)" }
  }

  /// Whether a line looks like the headings of a CSV file.
  static func looksLikeHeader(_ line: String) -> Bool {
    let records = CSVRecords([FileText.Line(number: 1, text: line)]).records
    guard let fields = records.first?.fields, fields.count > 1 else { return false }
    return CSVColumns(fields) != nil
  }
}
