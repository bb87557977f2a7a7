/// The credentials of a login, as the body of a request has them; each provider reads its own members.
struct LoginRequest: Decodable {
  var username: String?
  var password: String?
  var token: String?
  var key: String?
  /// Whether a nickname that is new becomes an administrator.
  var isAdmin: Bool?
}
