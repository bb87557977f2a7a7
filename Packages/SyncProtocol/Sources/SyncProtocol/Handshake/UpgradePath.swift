/// Request targets of upgrades, and the access token in them.
public enum UpgradePath {
  /// Whether a path (without the query) is accepted: one that ends in `/realm-sync`, or `/realm-sync/` with a
  /// percent-encoded realm path, as old clients send it.
  public static func isAccepted(_ path: String) -> Bool {
    path.hasSuffix("/realm-sync") || path.hasPrefix("/realm-sync/%2F")
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
