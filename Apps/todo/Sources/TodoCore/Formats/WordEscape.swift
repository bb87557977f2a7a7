import Foundation

/// Texts as single words of todo.txt: spaces, line breaks, control characters and `%` become `%` and two hexadecimal
/// digits per byte of UTF-8. All other characters stay readable, unlike in URLs.
///
///     WordEscape.encode("50 % mehr Zürich")  // "50%20%25%20mehr%20Zürich"
enum WordEscape {
  static func encode(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar != "%", !scalar.properties.isWhitespace, scalar.properties.generalCategory != .control {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          result += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
      }
    }
    return result
  }

  /// The text of a word; nil for a bad escape, or bytes that are not UTF-8.
  static func decode(_ text: some StringProtocol) -> String? { text.removingPercentEncoding }
}
