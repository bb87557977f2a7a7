/// Texts as single words: spaces, line breaks, control characters and `%` become `%` and two hexadecimal digits
/// per byte of UTF-8.
enum PercentCoding {
  static func encode(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPlain = scalar != "%" && !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 {
          let hex = String(byte, radix: 16, uppercase: true)
          result += "%" + (hex.count == 1 ? "0" : "") + hex
        }
      }
    }
    return result
  }

  /// The text; nil if it is not one.
  static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == 0x25 {
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
