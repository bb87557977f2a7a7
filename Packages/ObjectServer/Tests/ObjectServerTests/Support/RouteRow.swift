@testable import ObjectServer

/// The kinds of bearers, in the order of the columns of ``RouteRow``.
enum BearerColumn: CaseIterable {
  /// No token; a whole token of a user; of an administrator; the operator's own.
  case none, full, administrator, `operator`
  /// A user's token for the one realm of the request: with all rights, to write, to read.
  case manages, writes, reads
  /// An administrator's token for that realm, and for another one.
  case scoped, scopedElsewhere
  /// Whole tokens that have expired, of a disabled user, of a removed user, of an ended login.
  case expired, disabled, removed, ended
  /// The refresh token in place of the access token.
  case refresh
}

/// A request for one route, and the status that each kind of bearer gets.
struct RouteRow {
  var method: String
  var path: String
  var body: String
  /// By ``BearerColumn``.
  var statuses: [Int]

  private init(_ method: String, _ path: String, _ body: String = "", _ statuses: [Int]) {
    (self.method, self.path, self.body, self.statuses) = (method, path, body, statuses)
  }

  /// The row of a route, for the things that one ``RouteScene`` holds.
  init(_ name: Route, in scene: RouteScene) {
    let app = HTTPTests.app, auth = HTTPTests.auth, own = "/api/openrealm/v1", realm = scene.realm
    let all = { (status: Int) in BearerColumn.allCases.map { _ in status } }
    //             none full admin oper | one realm   | scoped   | expired … ended    | refresh
    let login = [401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401, 401]
    let user = [401, 200, 200, 403, 403, 403, 403, 403, 403, 401, 401, 401, 401, 401]
    let whole = [401, 200, 200, 200, 403, 403, 403, 403, 403, 401, 401, 401, 401, 401]
    let managed = [401, 200, 200, 200, 200, 403, 403, 200, 403, 401, 401, 401, 401, 401]
    let admin = [401, 403, 200, 200, 403, 403, 403, 403, 403, 401, 401, 401, 401, 401]
    // The stores of these tests keep no files that could be queried.
    let served = [401, 200, 200, 200, 200, 200, 200, 200, 403, 401, 401, 401, 401, 401]
    // The bearer of a row for a user is the user of the scene, or an administrator of their own.
    func with(_ row: [Int], _ success: Int) -> [Int] { row.map { $0 == 200 ? success : $0 } }
    self =
      switch name {
      case .health: Self("GET", "/health", all(200))
      case .ready: Self("GET", "/health/ready", all(200))
      case .metrics: Self("GET", "/metrics", all(200))
      case .preflight: Self("OPTIONS", auth + "/profile", all(204))
      case .location: Self("GET", app + "/location", all(200))
      case .callFunction: Self("POST", app + "/functions/call", #"{"name":"f"}"#, all(404))
      case .registerForPush: Self("PUT", app + "/push/providers/gcm/registration", "{}", all(404))
      case .logIn: Self("POST", app + "/auth/providers/anon-user/login", "{}", all(200))
      case .register:
        Self(
          "POST", app + "/auth/providers/local-userpass/register", scene.credentials(named: "email", new: true),
          all(201))
      case .mail:
        Self("POST", app + "/auth/providers/local-userpass/confirm", #"{"token":"t","tokenId":"i"}"#, all(400))
      case .legacyLogin: Self("POST", "/auth", #"{"provider":"anonymous"}"#, all(200))
      case .legacyRevoke:
        Self(
          "POST", "/auth/revoke", #"{"token":"\#(scene.refresh)"}"#,
          BearerColumn.allCases.map { [.disabled, .removed, .ended].contains($0) ? 401 : 200 })
      case .refresh: Self("POST", auth + "/session", login + [201])
      case .logOut: Self("DELETE", auth + "/session", login + [204])
      case .apiKeys: Self("GET", auth + "/api_keys", login + [200])
      case .createAPIKey: Self("POST", auth + "/api_keys", #"{"name":"another"}"#, login + [201])
      case .apiKey: Self("GET", auth + "/api_keys/" + scene.key, login + [200])
      case .deleteAPIKey: Self("DELETE", auth + "/api_keys/" + scene.key, login + [204])
      case .enableAPIKey: Self("PUT", auth + "/api_keys/\(scene.key)/enable", login + [204])
      case .disableAPIKey: Self("PUT", auth + "/api_keys/\(scene.key)/disable", login + [204])
      case .link:
        Self(
          "POST", app + "/auth/providers/local-userpass/login?link=true",
          scene.credentials(named: "username", new: false), user)
      case .deleteUser: Self("DELETE", auth + "/delete", with(user, 204))
      case .acceptOffer: Self("POST", own + "/offers/\(scene.foreignOffer)/accept", user)
      case .profile: Self("GET", auth + "/profile", whole)
      case .changePassword:
        // Without a name it is the bearer's own, and the operator has none.
        Self(
          "PUT", own + "/password", #"{"password":"changed"}"#,
          [401, 204, 204, 404] + with(Array(whole.dropFirst(4)), 204))
      case .realms: Self("GET", own + "/realms", whole)
      case .realmUsers: Self("GET", own + "/realms/users?path=" + realm, whole)
      case .renameRealm:
        Self(
          "POST", own + "/realms/rename", #"{"path":"\#(realm)","newPath":"\#(realm)-renamed"}"#, with(whole, 204))
      case .explain:
        // Of a realm that is not there yet: the path alone decides.
        Self("GET", own + "/explain?path=\(realm)-later&class=Dog&key=1&user=\(scene.user)", whole)
      case .permissions: Self("GET", own + "/permissions", whole)
      case .offers: Self("GET", own + "/offers", whole)
      case .account: Self("GET", own + "/users/local-userpass/" + scene.other, admin)
      case .legacyAccount: Self("GET", "/auth/users/password/" + scene.other, admin)
      case .realmPermissions: Self("GET", own + "/permissions?path=" + realm, managed)
      case .givenPermissions: Self("GET", own + "/permissions?given=true", whole)
      case .explainPermission:
        Self("GET", own + "/permissions/explain?path=\(realm)&user=\(scene.user)&access=write", whole)
      case .applyPermission:
        Self(
          "POST", own + "/permissions", #"{"path":"\#(realm)","userId":"\#(scene.other)","access":"read"}"#, managed)
      case .createOffer: Self("POST", own + "/offers", #"{"path":"\#(realm)","access":"read"}"#, with(managed, 201))
      case .deleteOffer:
        // Managers of the realm may withdraw it; others do not learn that the offer exists.
        Self(
          "DELETE", own + "/offers/" + scene.offer,
          [401, 204, 204, 204, 204, 403, 403, 204, 404, 401, 401, 401, 401, 401])
      case .graphQL: Self("GET", "/graphql" + realm + "?query=%7B__typename%7D", with(served, 501))
      case .graphQLSchema: Self("GET", "/graphql/schema" + realm, with(served, 501))
      case .graphQLExplorer: Self("GET", "/graphql/explore" + realm, all(200))
      case .clearGraphQLSchema: Self("DELETE", "/graphql/schema" + realm, with(served, 501))
      case .deleteRealm: Self("DELETE", own + "/realms?path=" + realm, with(managed, 204))
      }
  }

  private init(_ method: String, _ path: String, _ statuses: [Int]) { self.init(method, path, "", statuses) }
}
