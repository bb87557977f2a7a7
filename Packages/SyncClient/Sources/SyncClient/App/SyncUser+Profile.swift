import AuthClient
import ByteCoding
import Foundation
import Permissions

/// A user, under the newer name: one type serves both generations.
public typealias User = SyncUser
/// The state of a user, under the newer name.
public typealias UserState = SyncUser.State
/// One login of a user by provider, under the newer name.
public typealias UserIdentity = UserProfile.Identity

/// The facts about a user that are known on the device. Needs no network.
extension SyncUser {
  /// The server's name for the user, for ever.
  public var id: String { userId.rawValue }
  /// Whether the user is logged in on this device.
  public var isLoggedIn: Bool { auth.user(userId) != nil }
  /// The token for sync connections and calls: a secret. May have expired; nil for a user who is logged out.
  public var accessToken: String? { auth.user(userId)?.accessToken?.unredacted }
  /// The server's profile as it was read when the user logged in; empty before.
  public var profile: UserProfile {
    auth.allUsers.first { $0.id == userId }?.profile ?? UserProfile(id: userId, identities: [], data: [:])
  }
  /// The logins of the user, by provider.
  public var identities: [UserIdentity] { profile.identities }
  /// The data about the user that the server puts into access tokens; empty without any.
  public var customData: Document { accessToken.flatMap(Self.customData) ?? [:] }
  /// The API keys of the user.
  public var apiKeysAuth: APIKeyAuth { APIKeyAuth(user: self) }
  /// The functions of the app, which servers of this platform do not have.
  public var functions: Functions { Functions(user: self) }

  /// Gets a new access token, and with it the present ``customData``.
  ///
  /// - Throws: ``AppError``
  @discardableResult
  public func refreshCustomData() async throws -> Document {
    _ = try await AppError.mapping { try await auth.refresh(userId) }
    return customData
  }

  /// The form of ``refreshCustomData()`` with a completion, which is called once, on a background thread.
  public func refreshCustomData(_ completion: @escaping @Sendable (Result<Document, any Error>) -> Void) {
    answer(completion) { try await self.refreshCustomData() }
  }

  /// The member `user_data` of a token's claims.
  private static func customData(of token: String) -> Document? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    var text = parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : String($0) }.joined()
    text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let claims = Data(base64Encoded: text), let json = try? JSONValue(parsing: [UInt8](claims)),
      let data = json["user_data"]
    else { return nil }
    return AnyBSON(json: data).documentValue
  }
}

extension SyncUser: Hashable {
  /// Whether two users are one: the same id on the same server, for the same manager.
  public static func == (left: SyncUser, right: SyncUser) -> Bool { left === right }

  /// Hashes the identity of the user.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension UserProfile.Identity {
  /// The name of the user within the provider, under the name that apps know.
  public var identifier: String { id }
  /// The provider, under the name that apps know.
  public var providerType: String { provider }
}

extension UserProfile {
  /// The name.
  public var name: String? { data["name"] }
  /// The address for mail.
  public var email: String? { data["email"] }
  /// The address of a picture.
  public var pictureURL: URL? { data["picture_url"].flatMap { URL(string: $0) } }
  /// The first name.
  public var firstName: String? { data["first_name"] }
  /// The last name.
  public var lastName: String? { data["last_name"] }
  /// The gender.
  public var gender: String? { data["gender"] }
  /// The day of birth.
  public var birthday: String? { data["birthday"] }
  /// The lowest age that the user may have.
  public var minAge: String? { data["min_age"] }
  /// The highest age that the user may have.
  public var maxAge: String? { data["max_age"] }
  /// Everything that the server says of the user.
  public var metadata: Document { data.mapValues { AnyBSON.string($0) } }
}
