/// The ways to log in. The raw values stand in requests and in the directory.
enum AuthProvider: String, Sendable {
  case password = "local-userpass"
  case anonymous = "anon-user"
  case customToken = "custom-token"
  case apiKey = "api-key"
  case nickname
  case function = "custom-function"
}
