import AccessTokens
import Cryptography
import Permissions
import Telemetry

/// Tokens and key sets, as clients and issuers send them.
let jwtTarget = FuzzTarget(
  name: "jwt",
  corpus: {
    guard let key = try? SigningKey.sharedSecret(Array(repeating: 7, count: 32)) else { return [] }
    let claims = [
      #"{"sub":"ann","exp":2000000000,"iat":1,"aud":["a","b"],"iss":"i","nbf":0.5,"jti":"x"}"#,
      #"{"typ":"refresh","sub":"ann","exp":2000000000,"iat":1,"sid":"s","access":["download"],"path":"/~/a"}"#,
    ]
    let tokens = claims.compactMap { try? JSONWebToken.sign(payload: Array($0.utf8), with: key, keyIdentifier: "k") }
    let set = #"{"keys":[{"kty":"EC","crv":"P-256","x":"AA","y":"AA","kid":"1"},{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#
    return (tokens + [set]).map { Array($0.utf8) }
  },
  feed: { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    guard let key = try? SigningKey.sharedSecret(Array(repeating: 7, count: 32)) else { return }
    _ = try? JSONWebKeySet(json: bytes)
    guard let parsed = try? JSONWebToken.parseWithoutVerification(text) else { return }
    let verified = try? JSONWebToken.verify(text, with: [key.verificationKey], at: 1_000)
    precondition(verified == nil || verified?.payload == parsed.payload, "what is verified is what is read")
    // A verified token says who and until when, whatever else is in it.
    for kind in [TokenKind.access, .refresh] {
      let claims = try? TokenVerifier(keys: [key.verificationKey]).verify(
        text, kind: kind, at: WallTime(secondsSince1970: 1_000))
      precondition(claims.map { !$0.user.rawValue.isEmpty } ?? true, "a token without a user is refused")
    }
  })

/// Paths of realms with users of any name: whoever is let in is the owner, whatever the spelling.
let authTarget = FuzzTarget(
  name: "auth",
  corpus: {
    [
      "ann\n/~/todo", "ann\n/ben/todo", "ann\n/ann/todo/__partial/ann/x", "ann\n\"ann\"", "ann\nnull", "ann\n/default",
      #"65a1b2c3d4e5f60718293a4b"# + "\n" + #"{"$oid":"65a1b2c3d4e5f60718293a4b"}"#, "~\n/~/x", "..\n/~/x",
      "ann/ben\n/~/x",
    ].map { Array($0.utf8) }
  },
  feed: { bytes in
    let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    let user = UserId(String(decoding: parts[0], as: UTF8.self))
    guard let path = try? RealmPath(String(decoding: parts[1], as: UTF8.self), for: user) else { return }
    precondition((try? RealmPath(path.description)) == path, "a path has one spelling that names it")
    let subject = AccessSubject(user: user)
    let facts = RealmFacts(path: path, exists: false)
    let decision = AccessRules().decide(subject, wants: .write, of: facts)
    let explanation = AccessRules().explain(subject, wants: .write, of: facts)
    precondition(explanation.steps.filter(\.decides).count == 1, "one rule decides")
    guard decision.isAllowed else { return }
    let place = path.partialView?.realm ?? path
    precondition(place.isOwned(by: user) || place == .ofApps, "nobody writes where nothing was granted")
  })
