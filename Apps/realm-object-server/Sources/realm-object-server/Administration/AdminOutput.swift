import ByteCoding
import CommandLineKit
import Telemetry

/// Answers of the administration API on a terminal, or as they are for programs.
enum AdminOutput {
  /// A column of a list: a member of each row, and how it is shown.
  struct Column {
    var title: String
    var member: String
    var isTime = false

    init(_ title: String, _ member: String, isTime: Bool = false) {
      self.title = title
      self.member = member
      self.isTime = isTime
    }
  }

  /// Prints the rows of an answer as a table.
  static func list(
    _ answer: JSONValue, _ member: String, _ columns: [Column], _ invocation: Invocation, _ console: Console
  ) {
    let rows = answer[member] ?? .array([])
    guard !invocation.flag("json") else { return console.writeJSON(rows.text + "\n") }
    var table = TextTable(columns: columns.map { TextTable.Column($0.title) })
    table.rows = (rows.elements ?? []).map { row in columns.map { text(row[$0.member], isTime: $0.isTime) } }
    console.print(table)
  }

  /// Prints that something was done.
  static func done(_ sentence: ConsoleText, _ answer: JSONValue, _ invocation: Invocation, _ console: Console) {
    guard !invocation.flag("json") else {
      return console.writeJSON((answer == .null ? JSONValue.object([]) : answer).text + "\n")
    }
    console.print(sentence)
  }

  static func text(_ value: JSONValue?, isTime: Bool = false) -> String {
    switch value {
    case nil, .null: "-"
    case .string(let text): text.isEmpty ? "-" : text
    case .bool(let value): value ? "yes" : "no"
    case .number(let text):
      isTime ? Int64(text).map { WallTime(millisecondsSince1970: $0).description } ?? text : text
    case .array(let elements): elements.map { self.text($0) }.joined(separator: ", ")
    case .object(let members):
      if let name = value?["name"]?.string, let text = value?["value"]?.string {
        "\(name)=\(text)"
      } else {
        members.map { self.text($0.value) }.joined(separator: " ")
      }
    }
  }
}
