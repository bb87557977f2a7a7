import Cryptography
import FoundationEssentials
import Glibc
import Permissions
import Telemetry

/// Stores the users of a device in a JSON file that only its owner can read (mode 0600).
///
/// Saving writes a new file beside the old one, flushes it, and renames it: a crash leaves the old users or the new
/// ones. Calls block for the disk; concurrent saves must be ordered by the caller, as ``AuthClient`` does.
///
/// Under a key the file is sealed with XAES-256-GCM: without the key it tells nothing but its size, and a changed byte is
/// noticed. A file that was not sealed is read, and sealed when it is saved next.
public struct FileTokenStore: TokenStore {
  /// The path of the file. Missing folders are made, with mode 0700.
  public let path: String

  private let seal: FileSeal?

  /// A store in the file at `path`.
  ///
  /// - Parameter sealingKey: a secret of 32 bytes or more, such as the key of encrypted realms; nil to store users in
  ///   plain JSON.
  /// - Throws: ``AuthError/Code/storage`` for a key that is too short.
  public init(path: String, sealingKey: [UInt8]?) throws(AuthError) {
    self.path = path
    seal = if let sealingKey { try FileSeal(key: sealingKey) } else { nil }
  }

  /// A store in the file at `path`, in plain JSON.
  public init(path: String) {
    self.path = path
    seal = nil
  }

  /// Reads the users.
  ///
  /// - Throws: ``AuthError/Code/storage`` when the file exists and cannot be read.
  public func load() throws(AuthError) -> [AuthUser] {
    guard let data = FileManager.default.contents(atPath: path) else {
      guard !FileManager.default.fileExists(atPath: path) else { throw failure("read", "permission denied") }
      return []
    }
    guard !FileSeal.isSealed(data) || seal != nil else {
      throw failure("read", "it is sealed; give the key that it was sealed with")
    }
    do {
      let plain = if let seal, FileSeal.isSealed(data) { try seal.open(data) } else { data }
      return try JSONDecoder().decode(Content.self, from: plain).users.map(\.user)
    } catch is CryptographyError {
      throw failure("read", "it was sealed with another key, or changed by somebody else")
    } catch {
      throw failure("understand", "it is not the JSON that this program writes")
    }
  }

  /// Replaces the file.
  ///
  /// - Throws: ``AuthError/Code/storage`` when the file cannot be written; the old one stays.
  public func save(_ users: [AuthUser]) throws(AuthError) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    guard let plain = try? encoder.encode(Content(users: users.map(StoredUser.init))),
      let data = seal == nil ? plain : try? seal?.seal(plain)
    else { throw failure("write", "the users cannot be encoded") }
    if !folder.isEmpty, !FileManager.default.fileExists(atPath: folder) {
      try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let draft = path + ".\(getpid()).new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("write", String(cString: strerror(errno))) }
    defer { unlink(draft) }
    let isWritten = data.withUnsafeBytes { Self.writeAll($0, to: file) } && fsync(file) == 0
    let reason = errno
    close(file)
    guard isWritten, rename(draft, path) == 0 else {
      throw failure("write", String(cString: strerror(isWritten ? errno : reason)))
    }
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = write(file, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }

  private func failure(_ verb: String, _ reason: String) -> AuthError {
    AuthError(
      .storage, "cannot \(verb) the file of logged-in users, \(path): \(reason)",
      remedy: "check the file's permissions, or remove it and log in again")
  }
}

private struct Content: Codable {
  var users: [StoredUser]
}

private struct StoredUser: Codable {
  var id: String
  var name: String?
  var provider: String
  var isAdministrator: Bool
  var accessToken: String?
  var refreshToken: String?
  var profile: UserProfile?

  init(_ user: AuthUser) {
    id = user.id.rawValue
    name = user.name
    provider = user.provider
    isAdministrator = user.isAdministrator
    accessToken = user.accessToken?.unredacted
    refreshToken = user.refreshToken?.unredacted
    profile = user.profile
  }

  var user: AuthUser {
    AuthUser(
      id: UserId(id), name: name, provider: provider, isAdministrator: isAdministrator,
      accessToken: accessToken.map(Redacted.init), refreshToken: refreshToken.map(Redacted.init), profile: profile)
  }
}
