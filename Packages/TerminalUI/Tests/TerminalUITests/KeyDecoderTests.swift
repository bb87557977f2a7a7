import TestKit
import Testing
import TerminalUI

@Suite("The key decoder")
struct KeyDecoderTests {
  static let table: [(String, [InputEvent])] = [
    ("a", [.key(.character("a"))]),
    ("é世🎉", [.key(.character("é")), .key(.character("世")), .key(.character("🎉"))]),
    ("\r", [.key(.enter)]), ("\n", [.key(.enter)]), ("\t", [.key(.tab)]),
    ("\u{7F}", [.key(.backspace)]), ("\u{8}", [.key(.backspace)]),
    ("\u{3}", [.key(.control("c"))]), ("\u{1A}", [.key(.control("z"))]),
    ("\u{1B}[A", [.key(.up)]), ("\u{1B}OB", [.key(.down)]), ("\u{1B}[C\u{1B}[D", [.key(.right), .key(.left)]),
    ("\u{1B}[H\u{1B}[F", [.key(.home), .key(.end)]), ("\u{1B}[1~\u{1B}[4~", [.key(.home), .key(.end)]),
    ("\u{1B}[7~\u{1B}[8~", [.key(.home), .key(.end)]),
    ("\u{1B}[5~\u{1B}[6~", [.key(.pageUp), .key(.pageDown)]),
    ("\u{1B}[2~\u{1B}[3~", [.key(.insert), .key(.delete)]),
    (
      "\u{1B}OP\u{1B}[11~\u{1B}[[A\u{1B}[24~",
      [.key(.function(1)), .key(.function(1)), .key(.function(1)), .key(.function(12))]
    ),
    ("\u{1B}[1;5C", [.key(Key(.right, .control))]), ("\u{1B}[1;3D", [.key(Key(.left, .alt))]),
    ("\u{1B}[1;2A", [.key(Key(.up, .shift))]), ("\u{1B}[Z", [.key(.backTab)]),
    ("\u{1B}x", [.key(.alt("x"))]), ("\u{1B}é", [.key(.alt("é"))]),
    (
      "\u{1B}[<0;5;3M\u{1B}[<0;5;3m",
      [.mouse(Mouse(.press, at: Point(row: 2, column: 4))), .mouse(Mouse(.release, at: Point(row: 2, column: 4)))]
    ),
    ("\u{1B}[<64;1;1M", [.mouse(Mouse(.wheelUp, at: Point(row: 0, column: 0)))]),
    ("\u{1B}[200~a\nb\u{1B}[A\u{1B}[201~c", [.paste("a\nb\u{1B}[A"), .key(.character("c"))]),
    ("\u{1B}[?1;2cx", [.key(.character("x"))]), ("\u{1B}[M!!!x", [.key(.character("x"))]),
  ]

  @Test("knows the keys", arguments: table)
  func keys(_ text: String, _ events: [InputEvent]) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(Array(text.utf8)) == events)
  }

  @Test("gives the same events for the same bytes in pieces", arguments: table)
  func pieces(_ text: String, _ events: [InputEvent]) {
    var decoder = KeyDecoder()
    #expect(text.utf8.flatMap { decoder.decode([$0]) } == events)
  }

  @Test("takes an ESC that nothing follows for the Escape key")
  func escape() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]) == [])
    #expect(decoder.mayBeEscape)
    #expect(decoder.flush() == [.key(.escape)])
    #expect(!decoder.mayBeEscape)
    #expect(decoder.flush() == [])
    #expect(decoder.decode([0x1B, 0x1B]) == [.key(.escape)])
    #expect(decoder.mayBeEscape)
  }

  @Test("drops invalid UTF-8 and goes on")
  func invalid() {
    var decoder = KeyDecoder()
    #expect(
      decoder.decode([0xFF, 0xC3, 0x61, 0xE0, 0x80, 0x80, 0xED, 0xA0, 0x80, 0x62]) == [
        .key(.character("a")), .key(.character("b")),
      ])
  }

  @Test("keeps only so much of a paste")
  func paste() {
    var decoder = KeyDecoder()
    _ = decoder.decode(Array("\u{1B}[200~".utf8))
    _ = decoder.decode(Array(repeating: 0x61, count: KeyDecoder.pasteLimit + 1000))
    let events = decoder.decode(Array("\u{1B}[201~".utf8))
    #expect(events == [.paste(String(repeating: "a", count: KeyDecoder.pasteLimit))])
  }

  @Test("survives random bytes, and gives the same in any pieces")
  func random() {
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    let likely = Array("\u{1B}[;0159~ABMm<\u{1B}[200~\u{1B}[201~é".utf8)
    for run in 0..<(Seeds.runs ?? 500) {
      let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        Bool.random(using: &random)
          ? likely.randomElement(using: &random) ?? 0 : UInt8.random(in: 0...255, using: &random)
      }
      var (whole, pieces) = (KeyDecoder(), KeyDecoder())
      let expected = whole.decode(bytes)
      #expect(bytes.flatMap { pieces.decode([$0]) } == expected, "SEED=\(Seeds.seed ?? 1) run \(run): \(bytes)")
    }
  }
}
