public import Foundation
import StorageEngine

/// An operating error of a realm file: a stable code, a message that says what to do, and the cause.
///
///     do { _ = try RealmFile.open(location) } catch let error as RecordStoreError where error.code == .fileAccess { … }
///
/// ObjectStore calls it `Realm.Error`. Two errors are equal when their codes are.
public struct RecordStoreError: Swift.Error, CustomNSError, Equatable, CustomStringConvertible {
  /// The kind of failure, for programs. Numbers are those of RealmSwift.
  public enum Code: Int, Sendable, CaseIterable {
    case fail = 1
    case fileAccess = 2
    case filePermissionDenied = 3
    case fileExists = 4
    case fileNotFound = 5
    case fileFormatUpgradeRequired = 6
    case incompatibleLockFile = 8
    case addressSpaceExhausted = 9
    case schemaMismatch = 10
    case incompatibleSyncedFile = 11
    case alreadyOpen = 12
    case invalidInput = 13
    case outOfDiskSpace = 14
    case incompatibleSession = 15
    case unsupportedFileFormatVersion = 16
    case multipleSyncAgents = 17
    case subscriptionFailed = 18
    case fileOperationFailed = 19
    case invalidDatabase = 20
    case incompatibleHistories = 21
    case noSubscriptionForWrite = 22
  }

  /// The kind of failure.
  public var code: Code
  /// The failure in words, and the remedy.
  public var message: String
  /// The file concerned.
  public var fileURL: URL?
  /// The error that led to this one.
  public var cause: (any Swift.Error)?

  /// An error.
  public init(_ code: Code, _ message: String = "", fileURL: URL? = nil, cause: (any Swift.Error)? = nil) {
    self.code = code
    self.message = message
    self.fileURL = fileURL
    self.cause = cause
  }

  /// Whether the codes are equal.
  public static func == (left: RecordStoreError, right: RecordStoreError) -> Bool { left.code == right.code }

  /// The domain as an `NSError`.
  public static var errorDomain: String { "io.realm" }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// ``userInfo``, as `CustomNSError` asks for it.
  public var errorUserInfo: [String: Any] { userInfo }
  /// The message.
  public var localizedDescription: String { message }
  /// Message, path and cause under the keys of `NSError`.
  public var userInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    if let fileURL { info[NSFilePathErrorKey] = fileURL.path }
    if let cause { info[NSUnderlyingErrorKey] = cause }
    return info
  }
  /// Code, message and cause, the cause on a line of its own.
  public var description: String { "\(code): \(message)" + (cause.map { "\n  cause: \($0)" } ?? "") }
}

extension RecordStoreError {
  /// A contradiction found in the file.
  package static func damage(_ finding: String) -> RecordStoreError {
    RecordStoreError(.invalidDatabase, "\(finding) Restore the file from a backup or its server.")
  }

  /// The storage's failure under the code of a realm; the storage's error is the cause.
  package init(_ error: StorageError, fileURL: URL? = nil) {
    let code: Code =
      switch error.code {
      case .notAStore, .corrupt, .wrongKey: .invalidDatabase
      case .newerFormat: .unsupportedFileFormatVersion
      case .permissionDenied, .readOnly: .filePermissionDenied
      case .exists: .fileExists
      case .cannotOpen, .ioFailed: .fileAccess
      case .diskFull: .outOfDiskSpace
      case .tooManyProcesses, .locked: .incompatibleLockFile
      default: .fail
      }
    self.init(code, error.message, fileURL: fileURL, cause: error)
  }
}

/// Runs storage work.
///
/// - Throws: ``RecordStoreError`` in place of the storage's own error; every other error as it is.
package func translatingErrors<R>(_ body: () throws -> R) throws -> R {
  do { return try body() } catch let error as StorageError { throw RecordStoreError(error) }
}
