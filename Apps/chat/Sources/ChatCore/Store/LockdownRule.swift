/// The privileges that everyone loses on a class of the rooms, or on the realm.
///
/// A new realm gives everyone everything. These rules are what the chat needs and no more: they are applied in their order,
/// the realm last, because without its privilege to set permissions no other list can be changed.
public struct LockdownRule: Equatable, Sendable {
  /// A privilege that everyone loses.
  public enum Loss: String, CaseIterable, Equatable, Sendable {
    case query, create, update, delete, setPermissions, modifySchema
  }

  /// The stored name of the class; nil for the realm.
  public var className: String?
  /// The privileges that everyone loses.
  public var losses: [Loss]
  /// Why.
  public var reason: String

  /// The rules of the chat.
  public static let all: [LockdownRule] = [
    LockdownRule(
      className: "PublicChatRoom", losses: [.delete, .setPermissions, .modifySchema],
      reason: "public rooms stay, and stay public"),
    LockdownRule(
      className: "PrivateChatRoom", losses: [.setPermissions, .modifySchema],
      reason: "members are in the list of each room"),
    LockdownRule(
      className: "MessagePage", losses: [.setPermissions, .modifySchema],
      reason: "readers are in the list of each page"),
    LockdownRule(
      className: "Message", losses: [.query, .update, .delete, .setPermissions, .modifySchema],
      reason: "messages come with the page that links to them, and stay as they were written"),
    LockdownRule(
      className: "ReadMark", losses: [.setPermissions, .modifySchema], reason: "readers are in the list of each mark"),
    LockdownRule(
      className: "__Role", losses: [.create, .update, .delete, .setPermissions, .modifySchema],
      reason: "nobody puts themselves into a role"),
    LockdownRule(
      className: "__User", losses: [.create, .update, .delete, .setPermissions, .modifySchema],
      reason: "nobody becomes somebody else"),
    LockdownRule(
      className: nil, losses: [.modifySchema, .setPermissions],
      reason: "only administrators change classes, and these rules"),
  ]
}
