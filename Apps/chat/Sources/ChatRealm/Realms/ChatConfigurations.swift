import Dispatch
import RealmSwift

/// The configurations of the realms that the app works with at once.
struct ChatConfigurations {
  /// `/chat-rooms`, synced by queries: what its user may see of it.
  var rooms: Realm.Configuration
  /// `/chat-directory`, synced whole: people.
  var directory: Realm.Configuration
  /// `/~/chat-settings`, synced whole: the user's own.
  var settings: Realm.Configuration
  /// On this device alone: what was written and is not confirmed.
  var outbox: Realm.Configuration

  /// The paths on the server.
  static let roomsPath = "/chat-rooms"
  static let directoryPath = "/chat-directory"
  static func settingsPath(of user: String) -> String { "/\(user)/chat-settings" }

  /// The classes of each realm are named, because a program has many and each realm a few.
  init(
    rooms: Realm.Configuration, directory: Realm.Configuration, settings: Realm.Configuration,
    outbox: Realm.Configuration
  ) {
    (self.rooms, self.directory, self.settings, self.outbox) = (rooms, directory, settings, outbox)
    self.rooms.objectTypes = [
      PublicChatRoom.self, PrivateChatRoom.self, MessagePage.self, Message.self, Reaction.self, ReadMark.self,
      Permission.self, PermissionRole.self, PermissionUser.self,
    ]
    self.directory.objectTypes = [Person.self]
    self.settings.objectTypes = [RoomSetting.self]
    self.outbox.objectTypes = [Outgoing.self]
  }
}

/// The realms themselves, open on one queue.
struct ChatRealms {
  let rooms: Realm
  let directory: Realm
  let settings: Realm
  let outbox: Realm

  /// Opens the realms, creating their files if there are none.
  ///
  /// - Throws: `Realm.Error` for a file, `SyncAuthError` and `TransportError` for what syncs it.
  init(_ configurations: ChatConfigurations, queue: DispatchQueue) throws {
    rooms = try Realm(configuration: configurations.rooms, queue: queue)
    directory = try Realm(configuration: configurations.directory, queue: queue)
    settings = try Realm(configuration: configurations.settings, queue: queue)
    outbox = try Realm(configuration: configurations.outbox, queue: queue)
  }

  /// Shows the newest versions of all realms.
  func refresh() {
    for realm in [rooms, directory, settings, outbox] { realm.refresh() }
  }

  /// The sessions of those that are synced.
  var sessions: [SyncSession] { [rooms, directory, settings].compactMap(\.syncSession) }
}
