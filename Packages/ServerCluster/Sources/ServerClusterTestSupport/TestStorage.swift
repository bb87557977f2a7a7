import Foundation

/// The storage that the servers of tests stand on. The environment names it: `OPENREALM_TEST_STORAGE=postgresql`, or `embedded`, the default.
///
///     let stores = try TestStorage.histories(.folder(folder), random: random, isDurable: false)
///     let stage = try Stage(directory: TestStorage.directory(), histories: stores)
///
/// Over PostgreSQL each folder of a server has a database of its own, in one PostgreSQL of the process, and its server is a node of a
/// cluster. The database goes when the folder has gone.
public enum TestStorage: String, Sendable {
  /// A directory in memory, and realms in files or in memory.
  case embedded
  /// The directory and the record of realms in PostgreSQL.
  case postgresql

  /// The storage of this run.
  public static let current: TestStorage = {
    let name = ProcessInfo.processInfo.environment["OPENREALM_TEST_STORAGE"] ?? embedded.rawValue
    guard let storage = TestStorage(rawValue: name) else {
      preconditionFailure("OPENREALM_TEST_STORAGE is '\(name)', and neither 'embedded' nor 'postgresql'")
    }
    return storage
  }()

  /// Whether servers have files of their own: the condition of tests of what only these have.
  public static var isEmbedded: Bool { current == .embedded }
}
