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
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var rest = value.magnitude
    let start = bytes.count
    while rest > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(0x30 + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    }
    bytes[start...].reverse()
  }

  /// Appends a number, or `null` when it is not finite, since JSON has no such number.
  public mutating func write(_ value: Double) { raw(value.isFinite ? "\(value)" : "null") }

  /// Appends a text in quotes.
  public mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      bytes.append(UInt8(ascii: "\""))
      var clean = 0
      for index in 0..<utf8.count where utf8[index] < 0x20 || utf8[index] == 0x22 || utf8[index] == 0x5C {
        bytes.append(contentsOf: utf8[clean..<index])
        escape(utf8[index])
        clean = index + 1
      }
      bytes.append(contentsOf: utf8[clean...])
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Appends a text in quotes whose valid UTF-8 bytes are given.
  public mutating func write(utf8: ArraySlice<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var clean = utf8.startIndex
    for index in utf8.indices where utf8[index] < 0x20 || utf8[index] == 0x22 || utf8[index] == 0x5C {
      bytes.append(contentsOf: utf8[clean..<index])
      escape(utf8[index])
      clean = index + 1
    }
    bytes.append(contentsOf: utf8[clean...])
    bytes.append(UInt8(ascii: "\""))
  }

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
