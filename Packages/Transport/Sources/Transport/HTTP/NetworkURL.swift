/// An address on the network: scheme, host, port, target.
///
/// The schemes are `http`, `https`, `ws`, `wss`, `realm` (as `ws`) and `realms` (as `wss`).
///
///     let url = try NetworkURL("wss://sync.example.org/team?x=1")
///     (url.scheme, url.host, url.port, url.target)  // (.wss, "sync.example.org", 443, "/team?x=1")
public struct NetworkURL: Hashable, Sendable, CustomStringConvertible {
  /// The protocol, with or without TLS.
  public enum Scheme: String, Hashable, Sendable, CaseIterable {
    /// HTTP without TLS.
    case http
    /// HTTP over TLS.
    case https
    /// A WebSocket without TLS.
    case ws
    /// A WebSocket over TLS.
    case wss

    /// Whether TLS is used.
    public var isSecure: Bool { self == .https || self == .wss }
    /// 80 without TLS, 443 with TLS.
    public var defaultPort: Int { isSecure ? 443 : 80 }
  }

  /// The protocol.
  public var scheme: Scheme
  /// A name or address; an IPv6 address without its brackets.
  public var host: String
  /// The port, 1 to 65535.
  public var port: Int
  /// Path and query, percent-encoded, beginning with `/`.
  public var target: String

  /// An address from its parts.
  public init(scheme: Scheme, host: String, port: Int? = nil, target: String = "/") {
    self.scheme = scheme
    self.host = host
    self.port = port ?? scheme.defaultPort
    self.target = target.hasPrefix("/") ? target : "/" + target
  }

  /// An address from text.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration``, naming the part that cannot be used. User names in URLs are
  ///   refused; a fragment is dropped.
  public init(_ text: String) throws(TransportError) {
    func refusal(_ reason: String) -> TransportError {
      TransportError(.invalidConfiguration, "the URL cannot be used: \(reason)")
    }
    guard let separator = text.firstRange(of: "://") else { throw refusal("it has no scheme such as https://") }
    switch text[..<separator.lowerBound].lowercased() {
    case "http": scheme = .http
    case "https": scheme = .https
    case "ws", "realm": scheme = .ws
    case "wss", "realms": scheme = .wss
    default: throw refusal("its scheme is none of http, https, ws, wss, realm, realms")
    }
    let rest = text[separator.upperBound...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let remainder = String(rest[authority.endIndex...])
    guard !authority.contains("@") else { throw refusal("user names and passwords do not belong in it") }
    guard !remainder.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) else {
      throw refusal("its path has blanks, control or non-ASCII characters that are not percent-encoded")
    }
    target = remainder.hasPrefix("/") ? remainder : "/" + remainder
    var portText: Substring?
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else {
        throw refusal("the bracket of its IPv6 address is not closed")
      }
      host = String(authority[authority.index(after: authority.startIndex)..<end])
      let tail = authority[authority.index(after: end)...]
      guard tail.isEmpty || tail.hasPrefix(":") else { throw refusal("something follows its IPv6 address") }
      portText = tail.isEmpty ? nil : tail.dropFirst()
    } else {
      let parts = authority.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      host = String(parts.first ?? "")
      portText = parts.dropFirst().first
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw refusal("its host is empty or not ASCII")
    }
    guard let portText, !portText.isEmpty else {
      port = scheme.defaultPort
      return
    }
    guard let number = Int(portText), (1...65_535).contains(number),
      portText.utf8.allSatisfy({ (48...57).contains($0) })
    else { throw refusal("its port is not a number from 1 to 65535") }
    port = number
  }

  /// `host`, or `host:port` when the port is not the default of the scheme: the value of the `Host` header.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == scheme.defaultPort ? name : "\(name):\(port)"
  }

  /// Whether the host is the local machine: `localhost`, `127.*` or `::1`.
  public var isThisMachine: Bool {
    let host = host.lowercased()
    return host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// The whole address. The target may hold a token: do not log it.
  public var description: String { "\(scheme.rawValue)://\(authority)\(target)" }
}
