/// Base64 in both alphabets, RFC 4648. Strict: no white space, no characters of the other alphabet, unused bits zero.
///
///     Base64.standard.encode([251, 255])   // "+/8="
///     Base64.url.encode([251, 255])        // "-_8"
public struct Base64: Hashable, Sendable {
  /// With `+`, `/` and required padding.
  public static let standard = Base64(isURL: false)
  /// With `-`, `_`, written without padding, read with or without.
  public static let url = Base64(isURL: true)

  private let isURL: Bool

  /// The text of `bytes`. O(n), n the count of the bytes.
  public func encode(_ bytes: some Collection<UInt8>) -> String {
    let alphabet = isURL ? Self.urlAlphabet : Self.standardAlphabet
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    var accumulator: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      accumulator = accumulator << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        output.append(alphabet[Int(accumulator >> bits & 63)])
      }
    }
    if bits > 0 { output.append(alphabet[Int(accumulator << (6 - bits) & 63)]) }
    if !isURL { while output.count % 4 != 0 { output.append(UInt8(ascii: "=")) } }
    return String(decoding: output, as: UTF8.self)
  }

  /// The bytes of `text`. O(n), n the count of its characters.
  ///
  /// - Throws: ``Base64Error`` with the offset of the first wrong character.
  public func decode(_ text: some StringProtocol) throws(Base64Error) -> [UInt8] { try decode(bytes: text.utf8) }

  /// The bytes of a text that is given in UTF-8.
  ///
  /// - Throws: ``Base64Error`` with the offset of the first wrong character.
  func decode(bytes: some Collection<UInt8>) throws(Base64Error) -> [UInt8] {
    var failure: Base64Error?
    let output = [UInt8](unsafeUninitializedCapacity: bytes.count / 4 * 3 + 3) { buffer, count in
      do throws(Base64Error) {
        count = try decode(bytes, into: buffer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return output
  }

  /// - Returns: the number of bytes that were written to `output`, which has room for three for each four characters begun.
  private func decode(
    _ bytes: some Collection<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) throws(Base64Error) -> Int {
    var count = 0
    var accumulator: UInt32 = 0
    var bits = 0
    var digits = 0
    var padding = 0
    var offset = 0
    for byte in bytes {
      if byte == UInt8(ascii: "=") {
        padding += 1
        guard digits % 4 >= 2, padding <= 4 - digits % 4 else {
          throw Base64Error(offset: offset, reason: .misplacedPadding)
        }
      } else {
        guard padding == 0 else { throw Base64Error(offset: offset, reason: .misplacedPadding) }
        guard let digit = value(of: byte) else { throw Base64Error(offset: offset, reason: .unknownCharacter) }
        accumulator = (accumulator << 6 | digit) & 0xFFFF
        bits += 6
        digits += 1
        if bits >= 8 {
          bits -= 8
          output[count] = UInt8(truncatingIfNeeded: accumulator >> UInt32(bits))
          count += 1
        }
      }
      offset += 1
    }
    guard digits % 4 != 1 else { throw Base64Error(offset: offset, reason: .truncated) }
    guard (digits + padding) % 4 == 0 || (isURL && padding == 0) else {
      throw Base64Error(offset: offset, reason: .truncated)
    }
    guard accumulator & (1 << UInt32(bits) - 1) == 0 else { throw Base64Error(offset: offset, reason: .unusedBits) }
    return count
  }

  private func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case 65...90: UInt32(byte) - 65
    case 97...122: UInt32(byte) - 71
    case 48...57: UInt32(byte) + 4
    case UInt8(ascii: "+") where !isURL, UInt8(ascii: "-") where isURL: 62
    case UInt8(ascii: "/") where !isURL, UInt8(ascii: "_") where isURL: 63
    default: nil
    }
  }

  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let standardAlphabet = letters + Array("+/".utf8)
  private static let urlAlphabet = letters + Array("-_".utf8)
}

/// The reason why a text is not Base64, with its place.
public struct Base64Error: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of errors in a text.
  public enum Reason: String, Hashable, Sendable {
    /// A character is not of the alphabet.
    case unknownCharacter = "a character that is not of the alphabet"
    /// Padding is in the middle, or is too long.
    case misplacedPadding = "padding in the wrong place"
    /// The text ends within a group, or lacks its padding.
    case truncated = "the text ends too early"
    /// The last character has bits set beyond the last byte.
    case unusedBits = "bits set that carry nothing"
  }

  /// The offset in bytes of UTF-8, from 0.
  public var offset: Int
  /// The kind of the error.
  public var reason: Reason

  /// The offset and the kind in words.
  public var description: String { "not Base64 at byte \(offset): \(reason.rawValue)" }
}
