/// Texts that would control a terminal or deceive a reader, and a check that printed text is free of them.
///
///     for text in HostileText.table { #expect(HostileText.harm(in: printed(text)) == nil) }
public enum HostileText {
  /// One text for each kind of harm.
  public static let table = [
    "red\u{1B}[31m", "\u{1B}[2J\u{1B}[Hwiped", "\u{1B}]0;window title\u{7}", "\u{1B}]52;c;Y2xpcGJvYXJk\u{1B}\\",
    "\u{1B}P1;2q\u{1B}\\", "\u{9B}31mred", "\u{9D}0;title\u{9C}", "bell\u{7}", "back\u{8}\u{8}\u{8}\u{8}", "nul\u{0}",
    "delete\u{7F}", "return\rforged", "line\nerror: forged", "line\r\nforged", "page\u{C}\u{B}", "tab\tulator",
    "next\u{85}line", "line\u{2028}separator", "paragraph\u{2029}separator", "exe.\u{202E}txt", "\u{202D}over\u{202C}",
    "\u{2066}isolate\u{2069}", "\u{2067}\u{2068}open", "left\u{200E}right\u{200F}\u{61C}", "zero\u{200B}width",
    "join\u{2060}er\u{FEFF}", "soft\u{AD}hyphen", "tag\u{E0041}\u{E0042}", "filler\u{3164}\u{115F}",
    "deprecated\u{206A}\u{206F}", "note\u{FFF9}a\u{FFFA}b\u{FFFB}", "bad\u{FFFD}utf-8", "selector\u{E0101}",
    "zalgo" + String(repeating: "\u{30A}", count: 200),
  ]

  /// A random text of harmful and harmless pieces.
  public static func random(using random: inout SeededGenerator) -> String {
    let harmless = ["a", " ", "milk", "é", "世界", "👩‍👩‍👧", "❤️", "می‌خواهم", "שלום", "\u{301}", "'", "\"", "\\", "=", "1️⃣"]
    return (0..<Int.random(in: 0...12, using: &random)).reduce(into: "") { text, _ in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: text += table.randomElement(using: &random) ?? ""
      case 1: text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) ?? "\u{1B}")
      case 2: text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0...0x2070, using: &random)) ?? "\u{1B}")
      default: text += harmless.randomElement(using: &random) ?? ""
      }
    }
  }

  /// The first scalar that a terminal would obey, or that reorders or hides others; nil when there is none.
  ///
  /// - Parameter lines: whether line feeds are allowed.
  public static func harm(in text: String, lines: Bool = true) -> String? {
    let harmful = text.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0x0A: !lines
      case ..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x115F...0x1160, 0x180E, 0x200B, 0x200E...0x200F, 0x2028...0x202E: true
      case 0x2060...0x206F, 0x3164, 0xFEFF, 0xFFA0, 0xFFF0...0xFFFB, 0xE0000...0xE0FFF: true
      default: false
      }
    }
    return harmful.map { "U+" + String($0.value, radix: 16) }
  }
}
