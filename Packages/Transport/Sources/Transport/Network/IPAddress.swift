import Glibc

/// An IPv4 or IPv6 address. An IPv4 address that is written as IPv6 is the IPv4 address.
///
///     IPAddress("::ffff:203.0.113.7") == IPAddress("203.0.113.7")     // true
public struct IPAddress: Hashable, Sendable {
  /// The 16 bytes of the IPv6 form, the first byte first.
  let bytes: [UInt8]

  private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

  /// The address in a text without port and brackets; nil for other texts.
  public init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = Self.mapped + withUnsafeBytes(of: four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      bytes = withUnsafeBytes(of: six) { Array($0) }
    } else {
      return nil
    }
  }

  /// The address of `host:port` or of a host alone, an IPv6 address in brackets or not; nil for a name.
  public init?(remoteAddress: String) { self.init(Self.host(of: remoteAddress)) }

  /// The four bytes of an IPv4 address; nil for others.
  var four: ArraySlice<UInt8>? { bytes.starts(with: Self.mapped) ? bytes[12...] : nil }

  /// The host alone, without the port, the brackets and the name of an interface.
  static func host(of address: String) -> String {
    if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
      return String(address[..<end].dropFirst().prefix { $0 != "%" })
    }
    // More than one colon: an IPv6 address without a port.
    guard let colon = address.firstIndex(of: ":"), address[address.index(after: colon)...].firstIndex(of: ":") == nil
    else { return String(address.prefix { $0 != "%" }) }
    return String(address[..<colon])
  }
}
