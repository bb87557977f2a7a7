import AccessTokens
import Cryptography
import Permissions
import Telemetry
import Transport

/// The login of a browser in Studio: a cookie with the refresh token of an ordinary login.
///
/// Scripts cannot read the cookie (`HttpOnly`) and other sites cannot send it (`SameSite=Strict`). A request that may change
/// something carries the anti-forgery token of the login in a header besides, which only pages of this server can know.
enum StudioLogin {
  /// The name of the cookie.
  static let cookie = "openrealm-studio"
  /// The header of the anti-forgery token.
  static let header = "X-OpenRealm-Token"
  /// The app that the logins of browsers name.
  static let app = "studio"

  /// The refresh token of a request's cookie; nil for a request without.
  static func token(of request: HTTPRequest) -> String? {
    for pair in request.headers["Cookie"]?.split(separator: ";") ?? [] {
      let text = pair.drop { $0 == " " || $0 == "\t" }
      if text.hasPrefix(cookie + "="), text.count > cookie.count + 1 { return String(text.dropFirst(cookie.count + 1)) }
    }
    return nil
  }

  /// The value of `Set-Cookie` that begins a login, or ends it for nil.
  static func setting(_ token: String?, isSecure: Bool) -> String {
    let attributes = "Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    return token.map { "\(cookie)=\($0); \(attributes)" } ?? "\(cookie)=; \(attributes); Max-Age=0"
  }

  /// The anti-forgery token of a login: it follows from the cookie, and the cookie does not follow from it.
  static func forgeryToken(of token: String) -> String {
    Digest.sha256.hash(Array("openrealm-studio-forgery:\(token)".utf8)).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
  }

  /// The bearer of a request's cookie. Blocks.
  ///
  /// - Throws: ``APIError`` with 401 for a login that has ended, with 403 without the anti-forgery token; ``ServerError``.
  static func bearer(of request: HTTPRequest, cookie token: String, _ accounts: Accounts) throws -> Bearer {
    if request.method != "GET", request.method != "HEAD" {
      // A digest of a secret is compared: its time tells nothing of use.
      guard request.headers[header] == forgeryToken(of: token) else {
        throw APIError.denied("the header \(header) is missing or wrong: reload the page")
      }
    }
    let (login, user) = try accounts.login(refreshToken: token)
    guard login.app == app else { throw APIError.endedLogin }
    return Bearer(
      subject: AccessSubject(user: user.id, isAdministrator: user.isAdministrator), login: login.id, app: login.app,
      expiresAt: login.expiresAt)
  }
}
