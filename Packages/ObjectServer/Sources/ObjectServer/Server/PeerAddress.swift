import Transport

/// The part of `host:port` that tells clients apart.
enum PeerAddress {
  static func withoutPort(_ address: String) -> String {
    address.lastIndex(of: ":").map { String(address[..<$0]) } ?? address
  }

  /// Whether a peer is a process of this machine.
  static func isLocal(_ address: String) -> Bool {
    let host = withoutPort(address).filter { $0 != "[" && $0 != "]" }
    return host.hasPrefix("127.") || host == "::1" || host.hasPrefix("::ffff:127.")
  }
}

extension HTTPRequest {
  /// Whether a process of this machine asks for itself. What a proxy forwards comes from this machine too, but does not
  /// begin here.
  ///
  /// - Parameter behindProxy: ``ServerConfiguration/isBehindProxy``.
  func beginsHere(behindProxy: Bool) -> Bool {
    !behindProxy && PeerAddress.isLocal(remoteAddress) && Self.forwarding.allSatisfy { headers[$0] == nil }
  }

  private static let forwarding = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via"]
}
