import Transport

extension HTTPRequest {
  /// Whether a process of this machine asks for itself. What a proxy forwards comes from this machine too, but does not
  /// begin here.
  ///
  /// - Parameter behindProxy: ``ServerConfiguration/isBehindProxy``.
  func beginsHere(behindProxy: Bool) -> Bool {
    !behindProxy && PeerGroup(remoteAddress: remoteAddress).isLocal && Self.forwarding.allSatisfy { headers[$0] == nil }
  }

  private static let forwarding = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via"]
}
