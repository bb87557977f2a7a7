public import Transport

/// The proxies whose `X-Forwarded-For` says who a client is. What others write there is not read.
///
///     TrustedProxies([AddressRange("10.0.0.0/8")])      // a balancer in the private network
public struct TrustedProxies: Sendable {
  /// The addresses of the proxies.
  public var ranges: [AddressRange]

  /// Proxies with addresses in some ranges.
  public init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  /// A request with the address of its client: the last one in the header that is no proxy's, since each proxy appends the address from
  /// which it was asked. Behind proxies alone it is the first one; behind a text that is no address, the last one before that.
  ///
  /// - Complexity: O(*n*) in the bytes of the header.
  func resolving(_ request: HTTPRequest) -> HTTPRequest {
    guard !ranges.isEmpty, isProxy(request.remoteAddress) else { return request }
    var request = request
    for entry in request.headers.list("X-Forwarded-For").reversed() {
      guard IPAddress(remoteAddress: entry) != nil else { break }
      request.remoteAddress = entry
      if !isProxy(entry) { break }
    }
    return request
  }

  private func isProxy(_ address: String) -> Bool {
    guard let address = IPAddress(remoteAddress: address) else { return false }
    return ranges.contains { $0.contains(address) }
  }
}
