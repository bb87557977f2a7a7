import Glibc

/// The unit in which peers are counted: an IPv4 address, the /64 of an IPv6 address (its owner has all addresses of it), an
/// IPv4 address written as IPv6, or a name.
///
///     PeerGroup(remoteAddress: "[2001:db8:1:2:3:4:5:6]:443").description   // "2001:db8:1:2::/64"
public struct PeerGroup: Hashable, Sendable, CustomStringConvertible {
  /// The address or prefix, or the name.
  public let description: String
  /// Whether this is the machine itself.
  public let isLocal: Bool

  /// The group of the remote address of a connection: `host:port`, an IPv6 address in brackets.
  public init(remoteAddress: String) {
    let host = Self.host(of: remoteAddress)
    (description, isLocal) = Self.four(host) ?? Self.six(host) ?? (host, false)
  }

  private static func four(_ host: String) -> (String, Bool)? {
    var address = in_addr()
    guard inet_pton(AF_INET, host, &address) == 1 else { return nil }
    return withUnsafeBytes(of: address) { four($0[...]) }
  }

  private static func four(_ bytes: Slice<UnsafeRawBufferPointer>) -> (String, Bool) {
    (bytes.map { String($0) }.joined(separator: "."), bytes.first == 127)
  }

  private static func six(_ host: String) -> (String, Bool)? {
    var address = in6_addr()
    guard inet_pton(AF_INET6, host, &address) == 1 else { return nil }
    return withUnsafeBytes(of: address) { bytes in
      if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF { return four(bytes[12...]) }
      let groups = stride(from: 0, to: 8, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
      let isLocal = bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
      return (groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64", isLocal)
    }
  }

  /// The host alone, without the port, the brackets and the name of an interface.
  private static func host(of address: String) -> String {
    if address.hasPrefix("["), let end = address.firstIndex(of: "]") {
      return String(address[..<end].dropFirst().prefix { $0 != "%" })
    }
    // More than one colon: an IPv6 address without a port.
    guard let colon = address.firstIndex(of: ":"), address[address.index(after: colon)...].firstIndex(of: ":") == nil
    else { return String(address.prefix { $0 != "%" }) }
    return String(address[..<colon])
  }
}
