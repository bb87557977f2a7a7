extension Unicode.Scalar {
  /// The terminal columns of the scalar alone: 0 for combining and control characters, 2 for wide
  /// East Asian characters and emoji, else 1.
  ///
  /// - SeeAlso: Unicode Standard Annex 11, East Asian Width.
  public var displayWidth: Int {
    if value < 0x7F { return value < 0x20 ? 0 : 1 }
    if value < 0x300 { return value < 0xA0 || value == 0xAD ? 0 : 1 }
    if WideRanges.contains(value) { return 2 }
    // Vowels and finals of conjoining Hangul are drawn inside the cell of the leading consonant.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: return 1
    }
  }

  fileprivate var isEmojiModifier: Bool { (0x1F3FB...0x1F3FF).contains(value) }
  fileprivate var isVariationSelector: Bool { (0xFE00...0xFE0F).contains(value) }
}

extension Character {
  /// The terminal columns of the character when drawn as ``drawable``.
  ///
  ///     Character("é").displayWidth == 1; Character("世").displayWidth == 2; Character("👩‍👩‍👧").displayWidth == 2
  public var displayWidth: Int {
    if let ascii = asciiValue { return ascii < 0x20 || ascii == 0x7F ? 0 : 1 }
    return drawable.reduce(0) { $0 + $1.displayWidth }
  }

  /// The scalars to send to a terminal for the character, such that every terminal agrees about the width.
  ///
  /// Terminals disagree about emoji joined by U+200D, skin tones and variation selectors. Of such a
  /// sequence only the first picture is drawn. Control characters are left out.
  public var drawable: [Unicode.Scalar] {
    var drawn: [Unicode.Scalar] = []
    for scalar in unicodeScalars {
      if scalar.value == 0x200D, !drawn.isEmpty { break }
      if scalar.isVariationSelector || (scalar.isEmojiModifier && !drawn.isEmpty) { continue }
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: continue
      default: drawn.append(scalar)
      }
      if drawn.count == 5 { break }
    }
    return drawn
  }
}

extension StringProtocol {
  /// The terminal columns of the text.
  ///
  ///     "Zażółć 世界".displayWidth == 11
  public var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The beginning of the text that fits into `columns`, ending with `ellipsis` if something was cut off.
  ///
  ///     "groceries".truncated(to: 5) == "groc…"
  public func truncated(to columns: Int, ellipsis: String = "…") -> String {
    var width = 0
    var kept = ""
    var keptBeforeEllipsis = ""
    let room = columns - ellipsis.displayWidth
    for character in self {
      width += character.displayWidth
      if width > columns { return room < 0 ? "" : keptBeforeEllipsis + ellipsis }
      kept.append(character)
      if width <= room { keptBeforeEllipsis = kept }
    }
    return kept
  }

  /// The text followed (or preceded) by spaces up to a width. Wider text is returned as it is.
  public func padded(to columns: Int, alignRight: Bool = false) -> String {
    let padding = String(repeating: " ", count: Swift.max(0, columns - displayWidth))
    return alignRight ? padding + String(self) : String(self) + padding
  }
}
