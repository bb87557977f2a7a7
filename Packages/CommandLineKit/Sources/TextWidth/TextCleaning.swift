/// Makes text from elsewhere safe to show to people: titles, names, paths, messages of peers.
///
/// A terminal obeys control characters, and some invisible characters reorder or hide their neighbours. Here each
/// becomes visible, so that what is shown is what is there and nothing else:
///
///     TextCleaning.line("a\u{1B}[31mb")     // a␛[31mb
///     TextCleaning.line("file\u{202E}txt")  // file\u{202e}txt
///
/// Output for programs (`--json`, exported files) is not cleaned: JSON escapes these characters.
public enum TextCleaning {
  /// More combining marks than this on one base are shown one by one: they would cover the lines around it.
  static let markLimit = 8

  /// The text on one line. Line feeds and tabs become spaces; other control characters, bidirectional controls,
  /// separators and characters that cannot be seen become visible. Cleaned text is returned unchanged.
  ///
  /// Joiners and variation selectors stay where scripts and emoji need them.
  ///
  /// - Complexity: O(*n*), *n* = the number of scalars.
  public static func line(_ text: some StringProtocol) -> String {
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return String(text) }
    var scan = ScalarScan()
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    while index < scalars.endIndex {
      let scalar = scalars[index]
      index = scalars.index(after: index)
      let next = index < scalars.endIndex ? scalars[index] : nil
      if scalar == "\r", next == "\n" { continue }
      scan.take(scalar, before: next)
    }
    return String(scan.shown)
  }

  /// The same on several lines: line feeds stay. Lines after the first begin with `indent` spaces, so that text from
  /// elsewhere cannot pose as a line of the program.
  public static func lines(_ text: some StringProtocol, indent: Int = 0) -> String {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    return lines.map { line($0) }.joined(separator: "\n" + String(repeating: " ", count: max(0, indent)))
  }

  /// Whether a scalar is not drawn as itself: a control character, a separator of lines, or one that is invisible
  /// and may hide or reorder what is around it.
  public static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
    // Signs of Arabic, Syriac and Kaithi that stand before digits are drawn, though they count as format characters.
    case .format: return !isPrependedSign(scalar)
    default: return properties.isDefaultIgnorableCodePoint
    }
  }

  private static func isPrependedSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  /// A hidden scalar as it is shown: a control picture, or its number as in a Swift literal.
  static func picture(of scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x09, 0x0A: " "
    case ..<0x20: String(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
    case 0x7F: "\u{2421}"
    default: "\\u{" + String(scalar.value, radix: 16) + "}"
    }
  }
}
