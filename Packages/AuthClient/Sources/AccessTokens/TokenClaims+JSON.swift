import Permissions
import Telemetry

/// The claims as JSON. Times are whole seconds since 1970: stock clients accept nothing else.
struct ClaimsOnTheWire: Codable {
  var typ: TokenKind?
  var sub: String
  var aud: String?
  var sid: String?
  var jti: String?
  var iat: Int64
  var exp: Int64
  var isAdmin: Bool?
  var appId: String?
  var path: String?
  var access: [String]?

  init(_ claims: TokenClaims) {
    typ = claims.kind
    sub = claims.user.rawValue
    aud = claims.app
    appId = claims.app
    sid = claims.login
    jti = claims.secret
    iat = claims.issuedAt.secondsSince1970
    exp = claims.expiresAt.secondsSince1970
    isAdmin = claims.isAdministrator
    path = claims.path
    access =
      switch claims.level {
      case .none: []
      case .read: ["download"]
      case .write: ["download", "upload"]
      case .admin: ["download", "upload", "manage"]
      }
  }

  /// The level that `access` lists; each right needs the lower ones. A token without `access` is bounded by its user
  /// only.
  var level: AccessLevel {
    guard let access else { return .admin }
    guard access.contains("download") else { return .none }
    guard access.contains("upload") else { return .read }
    return access.contains("manage") ? .admin : .write
  }

  func claims(kind: TokenKind) -> TokenClaims {
    TokenClaims(
      kind: kind, user: UserId(sub), app: aud ?? appId ?? "", login: sid, secret: jti,
      issuedAt: WallTime(secondsSince1970: iat),
      expiresAt: WallTime(secondsSince1970: exp), isAdministrator: isAdmin ?? false, path: path, level: level)
  }
}
