/// Bytes as lower-case hexadecimal text.
///
///     hexText([0x3F, 0x00])            // "3f00"
public func hexText(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}

/// The bytes that hexadecimal text stands for, blanks ignored; nil when a character is not a digit or one is left over.
///
///     hexBytes("3F 00")                // [0x3F, 0x00]
public func hexBytes(_ text: some StringProtocol) -> [UInt8]? {
  var bytes: [UInt8] = []
  var high: UInt8?
  for character in text.utf8 {
    let digit: UInt8
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\t"): continue
    default: return nil
    }
    if let first = high {
      bytes.append(first << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  return high == nil ? bytes : nil
}
