// `_nfd` is the only canonical decomposition in the standard library.
@_spi(_Unicode) import Swift

/// The small, locale-free folding of `[c]` and `[d]`.
///
/// Only `A-Z` and the Latin-1 letters U+00C0 to U+00DE except U+00D7 become lower case. In UTF-8 the latter are `C3 80`
/// to `C3 9E`, and their lower case differs in one bit of the second byte, so folding never changes a length.
enum CaseFolding {
  /// Folds the text in place.
  static func fold(_ bytes: inout [UInt8]) {
    var followsLead = false
    for at in bytes.indices {
      bytes[at] = folded(bytes[at], followsLead: followsLead)
      followsLead = bytes[at] == 0xC3
    }
  }

  /// One byte of a text; `followsLead` says that the byte before is C3.
  static func folded(_ byte: UInt8, followsLead: Bool) -> UInt8 {
    if byte &- 0x41 < 26 { return byte | 0x20 }
    if followsLead, byte >= 0x80, byte <= 0x9E, byte != 0x97 { return byte | 0x20 }
    return byte
  }

  /// The bytes of a text as comparison options ask for them.
  static func bytes(of text: String, _ options: ComparisonOptions) -> [UInt8] {
    var bytes = options.contains(.diacriticInsensitive) ? withoutDiacritics(text) : Array(text.utf8)
    if options.contains(.caseInsensitive) { fold(&bytes) }
    return bytes
  }

  /// Bytes of a binary value: only ASCII letters fold.
  static func bytes(of data: [UInt8], _ options: ComparisonOptions) -> [UInt8] {
    guard options.contains(.caseInsensitive) else { return data }
    return data.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
  }

  /// The text decomposed canonically and without its marks.
  static func withoutDiacritics(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return Array(text.utf8) }
    var kept = String.UnicodeScalarView()
    for scalar in text._nfd {
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: continue
      default: kept.append(scalar)
      }
    }
    return Array(String(kept).utf8)
  }
}
