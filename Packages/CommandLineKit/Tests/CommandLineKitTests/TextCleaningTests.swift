import CommandLineKit
import TestKit
import Testing
import TextWidth

@Suite("Text from elsewhere")
struct TextCleaningTests {
  @Test(
    "is shown as what it is",
    arguments: [
      ("Buy milk", "Buy milk"), ("", ""), ("Zażółć 世界 עברית", "Zażółć 世界 עברית"),
      ("a\u{1B}[31mb\u{1B}[0m", "a␛[31mb␛[0m"), ("\u{1B}]0;title\u{7}", "␛]0;title␇"), ("\u{9B}2J", "\\u{9b}2J"),
      ("a\nb\tc\r\nd", "a b c d"), ("a\rb", "a␍b"), ("a\u{8}b\u{7F}", "a␈b␡"), ("a\u{0}", "a␀"),
      ("a\u{85}b\u{2028}c\u{2029}", "a\\u{85}b\\u{2028}c\\u{2029}"),
      ("exe.\u{202E}txt", "exe.\\u{202e}txt"), ("\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"),
      ("a\u{200E}\u{200F}\u{61C}", "a\\u{200e}\\u{200f}\\u{61c}"),
      ("an\u{200B}n", "an\\u{200b}n"), ("ann\u{AD}", "ann\\u{ad}"), ("\u{FEFF}a\u{2060}", "\\u{feff}a\\u{2060}"),
      ("ann\u{200D}", "ann\\u{200d}"), ("анн\u{200D}", "анн\\u{200d}"), ("a\u{E0041}", "a\\u{e0041}"),
      ("ann\u{3164}", "ann\\u{3164}"), ("a\u{FE0F}", "a\\u{fe0f}"), ("a\u{E0100}", "a\\u{e0100}"),
      ("👩‍👩‍👧 ❤️ 1️⃣ ☕︎", "👩‍👩‍👧 ❤️ 1️⃣ ☕︎"), ("می‌خواهم", "می‌خواهم"), ("ක්‍ෂ", "ක්‍ෂ"), ("র‍্য", "র‍্য"),
      ("e\u{301}", "e\u{301}"), ("\u{600}1", "\u{600}1"),
      ("o" + String(repeating: "\u{30A}", count: 9), "o" + String(repeating: "\u{30A}", count: 8) + "\\u{30a}"),
    ])
  func table(_ text: String, _ shown: String) {
    #expect(Array(TextCleaning.line(text).unicodeScalars) == Array(shown.unicodeScalars))
  }

  @Test("keeps its lines where there may be several, behind a margin")
  func lines() {
    #expect(TextCleaning.lines("a\r\nerror: b\n\u{1B}c", indent: 2) == "a\n  error: b\n  ␛c")
    #expect(ConsoleText(lines: "a\nb").printed == "a\n    b")
  }

  @Test("acts on no terminal, whatever it is, and is clean once and for all")
  func law() {
    for seed in Seeds.some(300) {
      var random = SeededGenerator(seed: seed)
      let text = HostileText.random(using: &random)
      let line = TextCleaning.line(text)
      #expect(HostileText.harm(in: line, lines: false) == nil, "SEED=\(seed)")
      #expect(TextCleaning.line(line) == line, "SEED=\(seed)")
      #expect(HostileText.harm(in: TextCleaning.lines(text), lines: true) == nil, "SEED=\(seed)")
    }
  }

  @Test("is cleaned in everything that a tool prints for people")
  func printing() {
    let (title, capture) = ("x\u{1B}[2J\n\u{202E}y", Capture())
    let console = capture.console(hasColour: true)
    console.print("added '\(title)'")
    console.print(ConsoleText(title) + " " + console.styled(title, .bold))
    console.print(TextTable(columns: [.init(title)], rows: [[title]]))
    let escaped = "x␛[2J \\u{202e}y"
    #expect(
      capture.output == """
        added '\(escaped)'
        \(escaped) \u{1B}[1m\(escaped)\u{1B}[0m
        \(TextCleaning.line(title.uppercased()))
        \(escaped)

        """)
    console.note("\(title)")
    console.report(ConsoleText(lines: title))
    #expect(capture.errors == "\(escaped)\nerror: x␛[2J\n    \\u{202e}y\n")
  }

  @Test("is exact for programs: escaped in JSON, and as it is in files")
  func programs() {
    let capture = Capture()
    capture.console().print(json: JSONOutput.text("\u{1B}\u{202E}\u{E0041}é"))
    capture.console().writeJSON("{\"a\": \"\u{9B}\u{2028}\"}\n")
    capture.console().write(exactly: "a\u{1B}\r\n")
    #expect(
      capture.output == """
        "\\u001b\\u202e\\udb40\\udc41é"
        {"a": "\\u009b\\u2028"}
        a\u{1B}\r\n
        """)
    let terminal = Capture()
    terminal.console(columns: 80).write(exactly: "a\u{1B}\r\n")
    #expect(terminal.output == "a␛\n")
  }

  @Test("is cleaned in errors, with their causes and remedies, and in mistakes on the command line")
  func errors() {
    let tool = Command("tool", summary: "Fail.", arguments: [.one("name", help: "Whatever.")]) { invocation, _ in
      let name = invocation.argument("name") ?? ""
      throw CommandFailure(name, remedy: name, cause: CommandFailure(name))
    }
    for seed in Seeds.some(100) {
      var random = SeededGenerator(seed: seed)
      let (text, capture) = (HostileText.random(using: &random), Capture())
      _ = tool.runSynchronously(["--", text], environment: [:], console: capture.console())
      _ = tool.runSynchronously([text, text, text], environment: [:], console: capture.console())
      _ = tool.runSynchronously(["--x" + text], environment: [:], console: capture.console())
      #expect(HostileText.harm(in: capture.errors, lines: true) == nil, "SEED=\(seed)")
    }
  }
}
