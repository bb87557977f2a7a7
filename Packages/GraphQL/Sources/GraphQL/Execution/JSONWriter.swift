/// Appends JSON to one buffer. The columns of resolvers write their values with it.
public struct JSONWriter: Sendable {
  /// The text so far.
  public private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// The number of bytes so far.
  var count: Int { bytes.count }

  /// Takes everything after the first `count` bytes back.
  mutating func truncate(to count: Int) { bytes.removeSubrange(min(count, bytes.count)...) }

  /// Appends bytes that are JSON already.
  public mutating func raw(_ json: [UInt8]) { bytes.append(contentsOf: json) }

  /// Appends a text that is JSON already.
  public mutating func raw(_ json: String) { bytes.append(contentsOf: json.utf8) }

  mutating func raw(_ byte: UInt8) { bytes.append(byte) }

  /// Appends `null`.
  public mutating func writeNull() { raw("null") }

  /// Appends `true` or `false`.
  public mutating func write(_ value: Bool) { raw(value ? "true" : "false") }

  /// Appends an integer.
  public mutating func write(_ value: Int64) {
    if value >= 0 && value < 10 {
      bytes.append(0x30 + UInt8(truncatingIfNeeded: value))
      return
    }
    // The longest has 19 digits and a sign.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = value.magnitude
      var start = 20
      while rest > 0 {
        let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
        start -= 1
        digits[start] = 0x30 + UInt8(truncatingIfNeeded: digit)
        rest = quotient
      }
      if value < 0 {
        start -= 1
        digits[start] = UInt8(ascii: "-")
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// Appends a number, or `null` when it is not finite, since JSON has no such number.
  public mutating func write(_ value: Double) { raw(value.isFinite ? "\(value)" : "null") }

  /// Appends a text in quotes.
  public mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      bytes.append(UInt8(ascii: "\""))
      var clean = 0
      for index in 0..<utf8.count where Self.needsEscape(utf8[index]) {
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean..<index]))
        escape(utf8[index])
        clean = index + 1
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean...]))
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Appends a text in quotes whose valid UTF-8 bytes are given.
  public mutating func write(utf8: ArraySlice<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var clean = utf8.startIndex
    for index in utf8.indices where Self.needsEscape(utf8[index]) {
      bytes.append(contentsOf: utf8[clean..<index])
      escape(utf8[index])
      clean = index + 1
    }
    bytes.append(contentsOf: utf8[clean...])
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a text in quotes whose valid UTF-8 bytes lie in memory that the caller keeps alive.
  public mutating func write(utf8: UnsafeRawBufferPointer) {
    bytes.append(UInt8(ascii: "\""))
    var clean = 0
    for index in 0..<utf8.count where Self.needsEscape(utf8[index]) {
      bytes.append(contentsOf: utf8[clean..<index])
      escape(utf8[index])
      clean = index + 1
    }
    bytes.append(contentsOf: utf8[clean...])
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x22, 0x5C: bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(digits[Int(byte >> 4)])
      bytes.append(digits[Int(byte & 15)])
    }
  }
}
