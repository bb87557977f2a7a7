/// A provider of the documented login call, by the name that servers know it by.
public struct Provider: RawRepresentable, Hashable, Sendable {
  /// The server's name for the provider.
  public var rawValue: String
  /// The provider of a name; any that the server has.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The provider of a name; any that the server has.
  public init(_ name: String) { rawValue = name }

  /// For tests of servers.
  public static let debug = Provider(rawValue: "debug")
  /// A name and a password.
  public static let usernamePassword = Provider(rawValue: "password")
  /// Facebook.
  public static let facebook = Provider(rawValue: "facebook")
  /// Google.
  public static let google = Provider(rawValue: "google")
  /// CloudKit.
  public static let cloudKit = Provider(rawValue: "cloudkit")
  /// A signed token of another system.
  public static let jwt = Provider(rawValue: "jwt")
  /// A new user on every login.
  public static let anonymous = Provider(rawValue: "anonymous")
  /// A name alone.
  public static let nickname = Provider(rawValue: "nickname")
  /// A refresh token that the application already has.
  public static let customRefreshToken = Provider(rawValue: "customrefreshtoken")
  /// An access token that the application already has.
  public static let accessToken = Provider(rawValue: "_access_token")
}
