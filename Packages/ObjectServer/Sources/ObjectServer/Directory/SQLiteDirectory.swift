import Permissions
import SQLiteDatabase
import Synchronization

/// The embedded directory: one SQLite file, every change flushed to disk before it counts.
///
/// Several processes may use the file: the server, and tools that add users meanwhile.
public final class SQLiteDirectory: Directory {
  private let database: Mutex<DirectoryDatabase?>

  /// The directory in the file at `path`, made when missing; `:memory:` for one that goes with the process.
  ///
  /// - Throws: ``ServerError/Code/directoryFailure``
  public init(path: String) throws(ServerError) {
    do {
      database = Mutex(try DirectoryDatabase(path: path))
    } catch {
      throw Self.failure(error, "opened")
    }
  }

  /// Runs `work` on the database, one caller at a time.
  func use<Value: Sendable>(_ work: (inout DirectoryDatabase) throws -> Value) throws(ServerError) -> Value {
    let result: Result<Value, ServerError> = database.withLock { database in
      guard var open = database else {
        return .failure(ServerError(.stopped, "the directory is closed", remedy: "start the server again"))
      }
      defer { database = open }
      do {
        return .success(try work(&open))
      } catch {
        return .failure(Self.failure(error, "used"))
      }
    }
    return try result.get()
  }

  public func close() { database.withLock { $0 = nil } }

  private static func failure(_ error: any Error, _ verb: String) -> ServerError {
    if let error = error as? ServerError { return error }
    let remedy = (error as? SQLiteError)?.remedy ?? "check the data directory"
    return ServerError(
      .directoryFailure, "the directory of users cannot be \(verb)",
      remedy: remedy.prefix(1).lowercased() + remedy.dropFirst(), cause: error)
  }
}
