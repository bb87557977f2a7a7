/// The head of a request, checked by the rules on which the boundaries of messages depend (RFC 9112).
public struct HTTPRequestHead: Hashable, Sendable {
  /// The delimitation of the body.
  public enum Framing: Hashable, Sendable {
    /// By a length, 0 when there is no body.
    case length(Int)
    /// By chunks.
    case chunks
  }

  /// The target in origin form: the path and the query.
  public private(set) var target: String
  /// The header lines; `Host` is that of an absolute target, if there is one.
  public private(set) var headers: HTTPHeaders
  /// The delimitation of the body.
  public private(set) var framing = Framing.length(0)

  /// A head whose lines are well formed.
  ///
  /// - Throws: ``Fault`` that names the broken rule.
  public init(method: String, target: String, minorVersion: Int, headers: HTTPHeaders) throws(Fault) {
    self.target = target
    self.headers = headers
    guard method != "CONNECT" else { throw Fault(reason: "this server is no proxy") }
    try checkHost(minorVersion)
    try readTarget(method)
    framing = try Self.framing(of: headers, minorVersion)
  }

  /// A rule that a head breaks.
  public struct Fault: Error, Hashable, Sendable {
    /// The rule.
    public var reason: String
  }

  private func checkHost(_ minorVersion: Int) throws(Fault) {
    let hosts = headers.values("Host")
    guard hosts.count <= 1 else { throw Fault(reason: "there is more than one Host header") }
    guard let host = hosts.first else {
      if minorVersion >= 1 { throw Fault(reason: "there is no Host header") }
      return
    }
    guard Self.isAuthority(host) else { throw Fault(reason: "the Host header names no host") }
  }

  /// Reads the absolute form, whose host replaces that of the header.
  private mutating func readTarget(_ method: String) throws(Fault) {
    if target.hasPrefix("/") || (target == "*" && method == "OPTIONS") { return }
    let lowercased = target.prefix(8).lowercased()
    let scheme = lowercased.hasPrefix("http://") ? 7 : lowercased.hasPrefix("https://") ? 8 : 0
    guard scheme > 0 else { throw Fault(reason: "the target is neither a path nor a URL") }
    let rest = target.dropFirst(scheme)
    let authority = String(rest.prefix { $0 != "/" && $0 != "?" })
    guard !authority.isEmpty, Self.isAuthority(authority) else { throw Fault(reason: "the target names no host") }
    let path = rest.dropFirst(authority.count)
    target = path.hasPrefix("/") ? String(path) : "/" + path
    headers["Host"] = authority
  }

  private static func framing(of headers: HTTPHeaders, _ minorVersion: Int) throws(Fault) -> Framing {
    let (codings, lengths) = (headers.values("Transfer-Encoding"), headers.values("Content-Length"))
    if let coding = codings.first {
      guard lengths.isEmpty else { throw Fault(reason: "there are both Transfer-Encoding and Content-Length") }
      guard codings.count == 1, minorVersion >= 1, coding.equalsIgnoringASCIICase("chunked") else {
        throw Fault(reason: "no other Transfer-Encoding than chunked is known")
      }
      return .chunks
    }
    guard let length = lengths.first else { return .length(0) }
    guard lengths.count == 1 else { throw Fault(reason: "there is more than one Content-Length") }
    guard (1...18).contains(length.utf8.count), length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(length)
    else { throw Fault(reason: "the Content-Length is no number") }
    return .length(count)
  }

  /// Whether a text may be a host with or without a port: no blanks, commas, slashes, user names.
  private static func isAuthority(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      case 0x21, 0x24...0x2B, 0x2D, 0x2E, 0x3A, 0x3B, 0x3D, 0x5B, 0x5D, 0x5F, 0x7E: true
      default: false
      }
    }
  }
}
