/// The values of string tokens.
enum StringDecoding {
  /// The value of a string in single quotes, whose bytes between the quotes are given. The lexer has checked them.
  static func decode(_ bytes: ArraySlice<UInt8>, of text: [UInt8]) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var position = bytes.startIndex
    while position < bytes.endIndex {
      guard bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.endIndex else {
        decoded.append(bytes[position])
        position += 1
        continue
      }
      switch bytes[position + 1] {
      case UInt8(ascii: "b"): decoded.append(0x08)
      case UInt8(ascii: "f"): decoded.append(0x0C)
      case UInt8(ascii: "n"): decoded.append(0x0A)
      case UInt8(ascii: "r"): decoded.append(0x0D)
      case UInt8(ascii: "t"): decoded.append(0x09)
      case UInt8(ascii: "u"):
        if let (scalar, length) = unicodeEscape(text, at: position) {
          decoded.append(contentsOf: Character(scalar).utf8)
          position += length
          continue
        }
      case let other: decoded.append(other)
      }
      position += 2
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The scalar of `\uXXXX`, `\uXXXX\uXXXX` (a surrogate pair) or `\u{X…}` and the length of the escape; nil for none.
  static func unicodeEscape(_ bytes: [UInt8], at start: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    if start + 2 < bytes.count, bytes[start + 2] == UInt8(ascii: "{") {
      var value: UInt32 = 0
      var index = start + 3
      while index < bytes.count, let digit = ByteClass.hexValue(bytes[index]) {
        guard value <= 0x10FFFF else { return nil }
        value = value << 4 | digit
        index += 1
      }
      guard index > start + 3, index < bytes.count, bytes[index] == UInt8(ascii: "}"),
        let scalar = Unicode.Scalar(value)
      else { return nil }
      return (scalar, index + 1 - start)
    }
    guard let high = fourDigits(bytes, at: start) else { return nil }
    guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high).map { ($0, 6) } }
    guard let low = fourDigits(bytes, at: start + 6), (0xDC00..<0xE000).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)).map { ($0, 12) }
  }

  private static func fourDigits(_ bytes: [UInt8], at start: Int) -> UInt32? {
    guard start + 5 < bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
      return nil
    }
    var value: UInt32 = 0
    for index in (start + 2)...(start + 5) {
      guard let digit = ByteClass.hexValue(bytes[index]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  /// The value of a block string from the bytes between its quotes: common indentation and empty first and last lines
  /// go.
  static func decodeBlock(_ bytes: ArraySlice<UInt8>) -> String {
    let lines = blockLines(bytes)
    func isBlank(_ line: [UInt8]) -> Bool { line.allSatisfy { $0 == 0x20 || $0 == 0x09 } }
    let indentation =
      lines.dropFirst().filter { !isBlank($0) }
      .map { line in line.prefix { $0 == 0x20 || $0 == 0x09 }.count }.min() ?? 0
    var kept = lines.enumerated().map { number, line in number == 0 ? line : Array(line.dropFirst(indentation)) }[...]
    while let first = kept.first, isBlank(first) { kept.removeFirst() }
    while let last = kept.last, isBlank(last) { kept.removeLast() }
    return String(decoding: Array(kept.joined(separator: [0x0A])), as: UTF8.self)
  }

  private static func blockLines(_ bytes: ArraySlice<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = [[]]
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let byte = bytes[position]
      if byte == 0x0A || byte == 0x0D {
        if byte == 0x0D, position + 1 < bytes.endIndex, bytes[position + 1] == 0x0A { position += 1 }
        lines.append([])
      } else if byte == UInt8(ascii: "\\"), bytes[position...].starts(with: "\\\"\"\"".utf8) {
        lines[lines.count - 1].append(contentsOf: "\"\"\"".utf8)
        position += 3
      } else {
        lines[lines.count - 1].append(byte)
      }
      position += 1
    }
    return lines
  }
}
