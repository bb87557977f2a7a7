/// Request targets of upgrades, with the app id and the access token in them.
public enum UpgradePath {
  /// Whether a path (without the query) is accepted: one that ends in `/realm-sync`, or `/realm-sync/` with a
  /// percent-encoded realm path, as old clients send it.
  public static func isAccepted(_ path: String) -> Bool {
    path.hasSuffix("/realm-sync") || path.hasPrefix("/realm-sync/%2F")
  }

  /// The app id in a path such as `/api/client/v2.0/app/<app id>/realm-sync`, still percent-encoded; nil without one.
  public static func appID(inPath path: String) -> String? {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false)
    guard segments.last == "realm-sync", segments.count >= 3, segments[segments.count - 3] == "app" else { return nil }
    let id = segments[segments.count - 2]
    return id.isEmpty ? nil : String(id)
  }

  /// The value of `baas_at` in a raw query, which is not percent-encoded; nil when absent.
  public static func accessToken(inQuery query: String) -> String? {
    for item in query.split(separator: "&") where item.hasPrefix("baas_at=") {
      return String(item.dropFirst("baas_at=".count))
    }
    return nil
  }

  /// The request target of a client: the service path with the token appended as `baas_at`.
  public static func target(servicePath: String, accessToken: String) -> String {
    servicePath + (servicePath.contains("?") ? "&" : "?") + "baas_at=" + accessToken
  }
}
