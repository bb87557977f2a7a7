/// Text of a peer for logs and messages: short, and without characters that control a terminal.
enum PeerText {
  /// The most characters that are kept.
  static let longest = 500

  /// The beginning of `text`, with control characters and bidirectional overrides replaced by spaces.
  ///
  /// - Complexity: O(``longest``).
  static func brief(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < longest else { return String(result) + "…" }
      result.append(isHarmless(scalar) ? scalar : " ")
      count += 1
    }
    return String(result)
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation,
      .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .spaceSeparator:
      true
    @unknown default: false
    }
  }
}
