import Transport

/// The headers that concern one connection alone, and are not passed on.
enum HopHeaders {
  private static let ofConnections = [
    "Connection", "Content-Length", "Host", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
    "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
  ]

  /// The headers of a request for another node.
  static func passedOn(_ headers: HTTPHeaders, adding added: HTTPHeaders) -> HTTPHeaders {
    var kept = without(headers) {
      $0.lowercased().hasPrefix("sec-websocket-") || $0.lowercased() == PassedOn.header.lowercased()
    }
    for field in added.fields { kept.append(field.name, field.value) }
    return kept
  }

  /// The headers of another node's answer, which are written anew with `Date` and `Server`.
  static func answered(_ headers: HTTPHeaders) -> HTTPHeaders {
    without(headers) { ["date", "server"].contains($0.lowercased()) }
  }

  private static func without(_ headers: HTTPHeaders, _ isLeftOut: (String) -> Bool) -> HTTPHeaders {
    let named = Set(headers.list("Connection").map { $0.lowercased() }).union(ofConnections.map { $0.lowercased() })
    return HTTPHeaders(headers.fields.filter { !named.contains($0.name.lowercased()) && !isLeftOut($0.name) })
  }
}
