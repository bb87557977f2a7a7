/// Requests to every route, most of them with what they ask for; marks in percent signs stand for tokens.
enum HTTPCorpus {
  static let requests: [String] = login + account + sharing + administration

  private static let app = "/api/client/v2.0/app/x"
  private static let auth = "/api/client/v2.0/auth"
  private static let own = "/api/openrealm/v1"
  private static let ann = "%access-ann%"

  private static func request(_ line: String, _ body: String = "", bearer: String? = nil) -> String {
    let authorization = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    return "\(line) HTTP/1.1\r\nHost: server\r\nContent-Type: application/json\r\n\(authorization)Content-Length: "
      + "\(body.utf8.count)\r\n\r\n\(body)"
  }

  private static let login = [
    request("GET /health/ready"), request("OPTIONS \(auth)/profile"), request("GET \(app)/location"),
    request("POST \(app)/auth/providers/local-userpass/register", #"{"email":"ben","password":"password 2"}"#),
    request(
      "POST \(app)/auth/providers/local-userpass/login",
      #"{"username":"ann","password":"password 1","options":{"device":{"appId":"x","sdk":"s"}}}"#),
    request("POST \(app)/auth/providers/anon-user/login", #"{"provider":"anon-user"}"#),
    request("POST \(app)/auth/providers/custom-token/login", #"{"token":"%foreign%"}"#),
    request("POST \(app)/auth/providers/company/login?link=true", #"{"token":"%foreign%"}"#, bearer: ann),
    request("POST \(app)/auth/providers/api-key/login", #"{"provider":"api-key","key":"0123456789abcdef"}"#),
    request("POST \(app)/auth/providers/nickname/login", #"{"username":"nick","isAdmin":false}"#),
    request("POST /auth", #"{"provider":"password","data":"ann","app_id":"x","user_info":{"password":"password 1"}}"#),
    request("POST /auth", #"{"provider":"realm","data":"%refresh-ann%","path":"/~/list","app_id":"x"}"#),
    request("POST /auth", #"{"provider":"nickname","data":"nick","user_info":{"is_admin":true,"register":true}}"#),
    request("POST /auth/revoke", #"{"token":"%refresh-ann%"}"#),
    request("POST \(app)/auth/providers/local-userpass/reset", #"{"token":"t","tokenId":"i","password":"password 3"}"#),
    request("POST \(app)/auth/providers/local-userpass/confirm/send", #"{"email":"ann"}"#),
    request("POST \(app)/functions/call", #"{"name":"f","arguments":[{"$numberInt":"1"}]}"#, bearer: ann),
    "POST /auth HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n18\r\n"
      + #"{"provider":"anonymous"}"# + "\r\n0\r\n\r\n",
  ]

  private static let account = [
    request("POST \(auth)/session", #"{"rotate":true}"#, bearer: "%refresh-ann%"),
    request("POST \(auth)/session", bearer: "%refresh-ann%"),
    request("DELETE \(auth)/session", bearer: "%refresh-ann%"),
    request("GET \(auth)/profile", bearer: ann), request("DELETE \(auth)/delete", bearer: ann),
    request("POST \(auth)/api_keys", #"{"name":"k2"}"#, bearer: "%refresh-ann%"),
    request("GET \(auth)/api_keys", bearer: "%refresh-ann%"),
    request("PUT \(auth)/api_keys/key1/disable", bearer: "%refresh-ann%"),
    request("PUT \(own)/password", #"{"password":"password 4","keepAPIKeys":true}"#, bearer: ann),
    request("PUT /auth/password", #"{"data":{"new_password":"password 5"},"user_id":"ann"}"#, bearer: "%access-root%"),
    request("GET /auth/users/password/ann", bearer: "%access-root%"),
    request("GET \(own)/users/local-userpass/ann", bearer: "%access-root%"),
  ]

  private static let sharing = [
    request("GET \(own)/permissions?path=%2Fann%2Flist", bearer: ann),
    request("GET \(own)/permissions?given=true", bearer: ann),
    request("GET \(own)/permissions/explain?path=/ann/list&user=root&access=write", bearer: ann),
    request(
      "POST \(own)/permissions", #"{"path":"/~/list","username":"root","condition":"default","access":"write"}"#,
      bearer: ann),
    request("POST \(own)/offers", #"{"path":"/~/list","access":"read","expiresAt":2000000000000}"#, bearer: ann),
    request("POST \(own)/offers/offer1/accept", bearer: "%access-root%"),
    request("DELETE \(own)/offers/offer1", bearer: ann), request("GET \(own)/realms", bearer: ann),
    request("GET \(own)/realms/users?path=/~/list", bearer: ann),
    request("POST \(own)/realms/rename", #"{"path":"/~/list","newPath":"/~/list2"}"#, bearer: ann),
    request("DELETE \(own)/realms?path=/~/list", bearer: ann),
    request("GET \(own)/explain?path=/~/later&class=Dog&key=1&user=ann", bearer: ann),
    request("GET \(own)/explain?path=/~/list&class=Person&key=1&device=3", bearer: ann),
    request("GET /graphql/ann/list?query=%7B__typename%7D", bearer: ann),
  ]

  private static let administration = [
    ("GET", "openapi.json", ""), ("GET", "users?limit=3&search=a&after=a", ""),
    ("POST", "users", #"{"name":"eve","password":"password 6","isAdministrator":true}"#),
    ("PATCH", "users/ann", #"{"isAdministrator":false,"isDisabled":true}"#), ("DELETE", "users/ann", ""),
    ("PUT", "users/ann/password", #"{"password":"password 7","keepAPIKeys":false}"#), ("GET", "users/ann/logins", ""),
    ("DELETE", "users/ann/logins/access-ann", ""), ("POST", "users/ann/keys", #"{"name":"k3"}"#),
    ("PATCH", "users/ann/keys/key1", #"{"isDisabled":true}"#), ("GET", "users/ann/permissions", ""),
    ("GET", "permissions?path=/ann/list", ""), ("GET", "users/ann/offers", ""),
    ("PUT", "permissions", #"{"path":"/ann/list","user":"root","access":"read"}"#),
    ("GET", "permissions/explain?path=/ann/list&user=ann&access=manage", ""), ("GET", "realms?limit=5", ""),
    ("GET", "realm?path=/ann/list", ""), ("POST", "realm/rename", #"{"path":"/ann/list","newPath":"/ann/b"}"#),
    ("GET", "realm/objects?path=/ann/list&class=Person&query=id%20%3E%200&limit=5", ""),
    (
      "POST", "realm/transaction",
      #"{"path":"/ann/list","edits":[{"action":"create","class":"Person","key":"2","values":{"name":"b"}}]}"#
    ),
    ("GET", "server", ""), ("GET", "configuration", ""), ("GET", "metrics", ""), ("GET", "sessions", ""),
    ("GET", "live?topics=sessions,logs", ""), ("POST", "tasks", #"{"kind":"vacuum"}"#), ("GET", "tasks", ""),
    ("GET", "logs?limit=5&level=debug", ""), ("PUT", "log-level", #"{"level":"trace"}"#), ("GET", "audit?limit=5", ""),
    ("GET", "audit/verification", ""), ("GET", "quarantine?path=/ann/list", ""),
  ].map { request("\($0.0) \(own)/admin/\($0.1)", $0.2, bearer: "%access-root%") }
}
