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
    let host = IPAddress.host(of: remoteAddress)
    guard let address = IPAddress(host) else {
      (description, isLocal) = (host, false)
      return
    }
    if let four = address.four {
      (description, isLocal) = (four.map { String($0) }.joined(separator: "."), four.first == 127)
      return
    }
    let bytes = address.bytes
    let groups = stride(from: 0, to: 8, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
    description = groups.map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    isLocal = bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
  }
}
