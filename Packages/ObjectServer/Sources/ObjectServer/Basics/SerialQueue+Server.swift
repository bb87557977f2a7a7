import Concurrency
import Permissions

/// The queues of the server's blocking work.
extension SerialQueue {
  /// Reads and writes of the directory of users. Every request of every user begins there, so its jobs are charged a tenth.
  static let directory = SerialQueue("directory", weight: 10)
  /// Readings of the directory's feed, and of the facts that it names: not behind the requests of clients.
  static let feed = SerialQueue("feed", weight: 10)
  /// Questions of administrators about files, logs and tasks.
  static let administration = SerialQueue("administration")
  /// Messages that are ordered and sent.
  static let mail = SerialQueue("mail")
  /// Writes of the audit log.
  static let audit = SerialQueue("audit")
  /// Work for the process as a whole, such as giving memory back.
  static let maintenance = SerialQueue("maintenance")

  /// The check of a file that is to be imported.
  static let importing = SerialQueue("importing")

  /// Password hashing: one of several queues, chosen by the user's name.
  static func passwords(_ number: Int) -> SerialQueue { SerialQueue("passwords", UInt64(number)) }
  /// The files of one realm, by a number that is never used again.
  static func realm(_ number: UInt64) -> SerialQueue { SerialQueue("realm", number) }
  /// The reading of administrators in one realm, beside its jobs: a query that takes long holds up none of another realm.
  static func reading(_ path: String) -> SerialQueue {
    SerialQueue("reading", UInt64(UInt(bitPattern: path.hashValue)) % 65_536)
  }
  /// The opening of one realm for consumers of its commits, and their work with it.
  static func consumers(_ path: RealmPath) -> SerialQueue {
    SerialQueue("consumers", UInt64(UInt(bitPattern: path.hashValue)) % 65_536)
  }
  /// The taking of realms that no node of a cluster has: one of several queues, chosen by the path.
  static func placement(_ path: String) -> SerialQueue {
    SerialQueue("placement", UInt64(UInt(bitPattern: path.hashValue)) % 8)
  }
  /// The decoding of the large messages of one connection, by its number.
  static func messages(_ connection: UInt64) -> SerialQueue { SerialQueue("messages", connection) }
}
