import Foundation
import TestKit
@testable import TodoCore

/// Short ways to write values in tests.
func fields(
  _ title: String, done: Bool = false, priority: Int = 0, due: String? = nil, notes: String = "",
  created: String? = nil, completed: String? = nil
) -> ItemFields {
  ItemFields(
    title: title, isDone: done, priority: priority, due: due.flatMap { Day(text: $0) }, notes: notes,
    created: created.flatMap { Timestamp.parse($0) }, completed: completed.flatMap { Timestamp.parse($0) })
}

func read(_ text: String, _ format: FileFormat) -> ImportedFile {
  Importer.read(Array(text.utf8), format: format)
}

func part(_ name: String?, _ items: ItemFields...) -> ImportedFile.Part { .init(name: name, items: items) }

extension SeededGenerator {
  /// A title, note or name that is likely to be misread.
  mutating func nastyText(lines: Bool) -> String {
    var pieces = [
      "x", "x ", "(A)", "(B) ", "due:2026-01-02", "due:never", "note:a%20b", "text:x", "list:Home", "pri:C", "%", "%41",
      " ", "  ", "milk", "é", "世界", "🎉", "- ", "- [ ] ", "[x]", "# ", "```", "1. ", "\"", ",", ";", "\t", "\\",
      "2026-01-02 ",
      "key:value", ":", "=", "+proj", "@home", "done:2026-01-01", "created:2025-05-05",
    ]
    if lines { pieces += ["\n", "\n\n", "\u{2028}"] }
    return (0..<Int.random(in: 0...6, using: &self)).map { _ in pieces.randomElement(using: &self) ?? "" }.joined()
  }
}
