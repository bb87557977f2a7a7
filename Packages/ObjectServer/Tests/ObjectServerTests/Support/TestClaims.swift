import AccessTokens
import Telemetry

enum TestClaims {
  static let access = TokenClaims(
    kind: .access, user: "ann", app: "app", issuedAt: WallTime(secondsSince1970: 1),
    expiresAt: WallTime(secondsSince1970: 2_000_000_000))
}
