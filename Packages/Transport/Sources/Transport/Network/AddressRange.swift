/// The IP addresses that begin with the same bits.
///
///     let range = AddressRange("10.0.0.0/8")
///     range?.contains(IPAddress("10.1.2.3"))     // true
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
  /// The text of the range.
  public let description: String
  private let prefix: IPAddress
  private let bits: Int

  /// The range of `ADDRESS/BITS`, or of one address; nil for other texts, and when the address has bits set behind the prefix.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let address = parts.first.flatMap({ IPAddress($0) }) else { return nil }
    let isFour = address.four != nil && parts.first?.contains(":") == false
    let most = isFour ? 32 : 128
    var length = most
    if parts.count == 2 {
      guard let text = parts.last, let number = Int(text), (0...most).contains(number), String(number) == text else {
        return nil
      }
      length = number
    }
    (description, prefix, bits) = (text, address, length + 128 - most)
    guard (bits..<128).allSatisfy({ !Self.bit($0, of: address) }) else { return nil }
  }

  /// Whether an address is one of the range. O(1).
  public func contains(_ address: IPAddress) -> Bool {
    (0..<bits).allSatisfy { Self.bit($0, of: address) == Self.bit($0, of: prefix) }
  }

  /// Whether every IPv4 address, or every address at all, is one of the range.
  public var isEveryAddress: Bool { bits == 0 || bits == 96 && prefix.four != nil }

  private static func bit(_ number: Int, of address: IPAddress) -> Bool {
    address.bytes[number / 8] & (0x80 >> (number % 8)) != 0
  }
}
