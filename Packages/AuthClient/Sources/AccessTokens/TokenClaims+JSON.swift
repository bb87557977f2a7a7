import ByteCoding
import Cryptography
import Permissions
import Telemetry

/// The claims as JSON. Times are whole seconds since 1970: stock clients accept nothing else.
struct ClaimsOnTheWire: Encodable {
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

  /// The claims of a token.
  ///
  /// - Throws: ``JSONWebTokenError/malformedClaims(_:)``
  init(_ token: JSONWebToken) throws(JSONWebTokenError) {
    func claim<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(JSONWebTokenError) -> Value? {
      guard let value = token[claim: name], value != .null else { return nil }
      guard let found = read(value) else { throw .malformedClaims("\(name) has the wrong type") }
      return found
    }
    func needed<Value>(_ name: String, _ read: (JSONValue) -> Value?) throws(JSONWebTokenError) -> Value {
      guard let value = try claim(name, read) else { throw .malformedClaims("the claim \(name) is missing") }
      return value
    }
    typ = try claim("typ") { $0.string.flatMap(TokenKind.init) }
    sub = try needed("sub", \.string)
    aud = try claim("aud", \.string)
    sid = try claim("sid", \.string)
    jti = try claim("jti", \.string)
    iat = try needed("iat", \.integer)
    exp = try needed("exp", \.integer)
    isAdmin = try claim("isAdmin", \.bool)
    appId = try claim("appId", \.string)
    path = try claim("path", \.string)
    access = try claim("access") { value in
      value.elements.flatMap { elements in
        let texts = elements.compactMap(\.string)
        return texts.count == elements.count ? texts : nil
      }
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
