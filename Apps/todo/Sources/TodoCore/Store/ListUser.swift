/// A user of the open lists.
public struct ListUser: Equatable, Sendable {
  /// The name, or the server's name for a user without one; everyone is `everyone`.
  public var name: String
  /// The rights of the user; nil when the server does not say.
  public var access: Access?
  /// The number of devices and programs of the user that are connected.
  public var sessions: Int
  /// Whether it is the user of this screen.
  public var isSelf: Bool
  /// Whether the lists are this user's own.
  public var isOwner: Bool

  /// A user of lists.
  public init(name: String, access: Access?, sessions: Int = 0, isSelf: Bool = false, isOwner: Bool = false) {
    self.name = name
    self.access = access
    self.sessions = sessions
    self.isSelf = isSelf
    self.isOwner = isOwner
  }

  /// The rights and the presence in words, such as `owner, here now`.
  public var state: String {
    var parts: [String] = []
    if isOwner {
      parts.append("owner")
    } else if let access {
      parts.append(access == .read ? "may read" : access == .write ? "may change" : "may change and share")
    }
    if sessions == 1 { parts.append("here now") }
    if sessions > 1 { parts.append("here now on \(sessions) devices") }
    if isSelf { parts.append("you") }
    return parts.isEmpty ? "not here" : parts.joined(separator: ", ")
  }
}
