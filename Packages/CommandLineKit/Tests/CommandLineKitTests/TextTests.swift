import CommandLineKit
import TextWidth
import Testing

@Suite("Text on a terminal")
struct TextTests {
  @Test(
    "is as wide as it is drawn",
    arguments: [
      ("", 0), ("milk", 4), ("Zażółć", 6), ("e\u{301}", 1), ("世界", 4), ("한글", 4), ("ｶﾅ", 2), ("🎉", 2),
      ("👩‍👩‍👧", 2), ("👍🏽", 2), ("🇵🇱", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("a\u{7}b", 2), ("\u{200B}", 0),
      ("नि", 2), ("ก็", 1),
    ])
  func width(_ text: String, _ columns: Int) {
    #expect(text.displayWidth == columns)
  }

  @Test("is cut at a column, never inside a character")
  func truncation() {
    #expect("groceries".truncated(to: 5) == "groc…")
    #expect("groceries".truncated(to: 9) == "groceries")
    #expect("世界地図".truncated(to: 6) == "世界…")
    #expect("世界".truncated(to: 1) == "…")
    #expect("世界".truncated(to: 0) == "")
    #expect("ab".padded(to: 4) + "|" == "ab  |")
    #expect("世".padded(to: 4, alignRight: true) == "  世")
  }

  @Test("is wrapped at spaces, or inside a word that is too long")
  func wrapping() {
    #expect(TextWrapping.lines(of: "one two three", columns: 7) == ["one two", "three"])
    #expect(TextWrapping.lines(of: "abcdefgh ij", columns: 3) == ["abc", "def", "gh", "ij"])
    #expect(TextWrapping.lines(of: "世界地図", columns: 3) == ["世", "界", "地", "図"])
    #expect(TextWrapping.lines(of: "世", columns: 1) == ["世"])
    #expect(TextWrapping.lines(of: "a\n\nb", columns: 9) == ["a", "", "b"])
    #expect(TextWrapping.lines(of: "", columns: 9) == [""])
  }

  @Test("in a table is aligned, and cut where the column allows")
  func table() {
    let table = TextTable(
      columns: [.init("n", alignsRight: true), .init("title", shrinks: true), .init("due")],
      rows: [["1", "Buy milk\nand 世界 bread", "2026-01-02"], ["12", "Call"]])
    #expect(
      table.text() == """
         N  TITLE                    DUE
         1  Buy milk and 世界 bread  2026-01-02
        12  Call                     \n
        """)
    #expect(table.text(width: 24).split(separator: "\n")[1] == " 1  Buy mil…  2026-01-02")
  }

  @Test("as JSON is escaped and keeps its order")
  func json() {
    let value = JSONOutput.object([
      ("b", 1), ("a", ["x\"\\\n\u{1}é", nil, true]), ("n", .number(.nan)), ("e", .array([])),
    ])
    #expect(value.text == #"{"b":1,"a":["x\"\\\n\u0001é",null,true],"n":null,"e":[]}"#)
    #expect(JSONOutput.object([("a", [1])]).prettyText == "{\n  \"a\": [\n    1\n  ]\n}")
  }

  @Test("is coloured only where there is colour")
  func colour() {
    #expect(Capture().console().styled("x" as ConsoleText, .red) == "x")
    #expect(Capture().console(hasColour: true).styled("x" as ConsoleText, .bold, .red) == "\u{1B}[1;31mx\u{1B}[0m")
  }

  @Test("of help fits 80 columns and shows options, arguments, defaults and variables")
  func help() {
    let text = HelpText(Tool.make(), path: ["tool", "move"]).text
    #expect(
      text == """
        usage: tool move [OPTIONS] FROM [TO]

        Move.

        Arguments:
          FROM  From.
          TO    To.

        Options:
          -f, --force  Do it.
          -h, --help   Print this text.

        Options of every command:
          -p, --port PORT  Port. (default: 9080; environment: TOOL_PORT)
          -u, --user USER  User.
          -v, --verbose    Say more. (environment: TOOL_VERBOSE)
              --tag TAG    Tag. (one of red, green)

        """)
    let long = Command("x", summary: String(repeating: "word ", count: 60), discussion: "a\nb\n  $ x\n") { _, _ in }
    #expect(HelpText(long, path: ["x"]).text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(HelpText(long, path: ["x"]).text.contains("a b\n  $ x\n"))
  }
}
