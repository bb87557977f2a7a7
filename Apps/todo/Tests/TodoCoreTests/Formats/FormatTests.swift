import Foundation
import TestKit
import Testing
@testable import TodoCore

@Suite("A file of lists")
struct FormatTests {
  @Test(
    "is recognised by its name, else by its content",
    arguments: [
      ("a.md", "", FileFormat.markdown), ("A.MARKDOWN", "x", .markdown), ("a.csv", "", .csv), ("a.tsv", "", .csv),
      ("todo.txt", "title,due", .todotxt), ("todo.txt", "- [ ] a", .markdown), ("", "a\n * [x] b", .markdown),
      ("", "due,title\n1,2", .csv), ("", "call, title or not", .todotxt), ("notes", "(A) b", .todotxt),
      ("", "", .todotxt),
    ])
  func detect(_ name: String, _ content: String, _ format: FileFormat) {
    #expect(FileFormat.detect(name: name, content: content) == format)
  }

  @Test("of broken bytes is read as far as it goes")
  func brokenBytes() {
    #expect(Importer.read([]) == ImportedFile())
    #expect(Importer.read(Array("\n\n \n".utf8)) == ImportedFile())
    let latin = Importer.read([0x43, 0x61, 0x66, 0xE9, 0x0A, 0x62])
    #expect(latin.parts == [part(nil, fields("Café"), fields("b"))])
    #expect(latin.problems.map(\.description) == ["line 1: not UTF-8; read as Latin-1"])
    let nul = Importer.read([0x61, 0x00, 0x62])
    #expect(nul.parts == [part(nil, fields("a␀b"))])
    #expect(nul.problems.map(\.line) == [1])
    #expect(Importer.read([0xFF, 0xFE, 0x61, 0x00, 0x16, 0x4E]).parts == [part(nil, fields("a世"))])
    #expect(Importer.read([0xFE, 0xFF, 0x00, 0x61]).parts == [part(nil, fields("a"))])
    #expect(Importer.read([0xFF, 0xFE, 0x61]).parts == [])
  }

  @Test("with lines of a megabyte keeps them whole", arguments: FileFormat.allCases)
  func longLines(_ format: FileFormat) {
    let long = String(repeating: "word ", count: 200_000) + "end"
    let text = format == .markdown ? "- [ ] \(long)\n- [ ] b" : format == .csv ? "title\n\(long)\nb" : "\(long)\nb"
    let file = read(text, format)
    #expect(file.parts.flatMap(\.items).map(\.title.count) == [201, 1])
    #expect(file.parts.first?.items.first?.notes == long)
    let tooLong = Importer.read(Array(repeating: 0x61, count: FileText.lineLimit + 1) + [0x0A, 0x62], format: .todotxt)
    #expect(tooLong.parts == [part(nil, fields("b"))])
    #expect(tooLong.problems.map(\.isSkipped) == [true])
  }

  @Test("comes back as it was written", arguments: FileFormat.allCases)
  func roundTrip(_ format: FileFormat) {
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    for run in 0..<(Seeds.runs ?? 400) {
      let lists = (0..<2).map { number in
        ItemList(
          key: "\(number)", name: ["Home list", "世界", "# %41"][number + run % 2], order: Double(number),
          items: (0..<3).map { Item(key: "\(number)-\($0)", fields: random.fields(format)) })
      }
      let text = Exporter.write(lists, as: format)
      let file = read(text, format)
      let expected = lists.map { ImportedFile.Part(name: Keys.listName($0.name), items: $0.items.map(\.fields)) }
      #expect(file.parts == expected, "SEED=\(Seeds.seed ?? 1) run \(run):\n\(text)")
    }
  }

  @Test("of random bytes never traps", arguments: FileFormat.allCases)
  func fuzz(_ format: FileFormat) {
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    for _ in 0..<(Seeds.runs ?? 300) {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...20, using: &random) {
        if Bool.random(using: &random) {
          bytes += Array(random.nastyText(lines: true).utf8)
        } else {
          bytes += (0..<Int.random(in: 0...4, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
      }
      let file = Importer.read(bytes, format: format)
      #expect(file.parts.allSatisfy { $0.items.allSatisfy { !$0.title.isEmpty } })
      _ = Importer.read(bytes)
    }
  }
}

extension SeededGenerator {
  /// Fields that a format can carry: days for moments where it knows only days.
  mutating func fields(_ format: FileFormat) -> ItemFields {
    var title = nastyText(lines: true)
    if title.allSatisfy(\.isWhitespace) { title = "milk" }
    let isDone = Bool.random(using: &self)
    let created = moment(format)
    return ItemFields(
      title: title, isDone: isDone, priority: Int.random(in: 0...3, using: &self),
      due: Bool.random(using: &self) ? Day(number: Int.random(in: -30_000...60_000, using: &self)) : nil,
      notes: nastyText(lines: true), created: created,
      // todo.txt has no creation date without a completion date.
      completed: isDone ? moment(format) ?? (format == .todotxt ? created : nil) : nil)
  }

  private mutating func moment(_ format: FileFormat) -> Date? {
    guard Bool.random(using: &self) else { return nil }
    let second = Int.random(in: 0...2_000_000_000, using: &self)
    return Date(timeIntervalSince1970: Double(format == .csv ? second : second / 86_400 * 86_400))
  }
}
