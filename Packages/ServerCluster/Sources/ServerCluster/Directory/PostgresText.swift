/// Texts as PostgreSQL stores them: it takes each but those with a zero byte. U+0000 is stored as U+0001 U+0001, and U+0001 as
/// U+0001 U+0002; all other texts as they are. The order by bytes is the same.
enum PostgresText {
  /// The text that is stored.
  static func stored(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 2 }) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if byte < 2 { bytes.append(1) }
      bytes.append(byte < 2 ? byte + 1 : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text that was stored so. What no text is stored as is answered as it is.
  static func shown(_ stored: String) -> String {
    guard stored.utf8.contains(1) else { return stored }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in stored.utf8 {
      if isEscaped {
        guard byte == 1 || byte == 2 else { return stored }
        bytes.append(byte - 1)
        isEscaped = false
      } else if byte == 1 {
        isEscaped = true
      } else {
        bytes.append(byte)
      }
    }
    return isEscaped ? stored : String(decoding: bytes, as: UTF8.self)
  }
}
