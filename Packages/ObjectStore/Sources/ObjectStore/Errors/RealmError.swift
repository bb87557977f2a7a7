public import Foundation
import StorageEngine

extension Realm {
  /// Why a realm could not do what was asked: a stable code, a sentence that says what to do, and the cause.
  ///
  ///     do { _ = try Realm(configuration: configuration) } catch Realm.Error.fileAccess { … }
  public struct Error: Swift.Error, CustomNSError, Equatable, CustomStringConvertible {
    /// What went wrong, for programs. Numbers are those of RealmSwift.
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

    public var code: Code
    /// What happened, and what the reader can do.
    public var message: String
    /// The file concerned.
    public var fileURL: URL?
    /// What led to it.
    public var cause: (any Swift.Error)?

    public init(_ code: Code, _ message: String = "", fileURL: URL? = nil, cause: (any Swift.Error)? = nil) {
      self.code = code
      self.message = message
      self.fileURL = fileURL
      self.cause = cause
    }

    public static func == (left: Error, right: Error) -> Bool { left.code == right.code }

    public static var errorDomain: String { "io.realm" }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { userInfo }
    public var localizedDescription: String { message }
    public var userInfo: [String: Any] {
      var info: [String: Any] = [NSLocalizedDescriptionKey: message]
      if let fileURL { info[NSFilePathErrorKey] = fileURL.path }
      if let cause { info[NSUnderlyingErrorKey] = cause }
      return info
    }
    public var description: String { "\(code): \(message)" + (cause.map { "\n  cause: \($0)" } ?? "") }
  }
}

extension Realm.Error {
  public static let callFailed = Realm.Error(.fail, "The call failed.")
  public static var fail: Code { .fail }
  public static var fileAccess: Code { .fileAccess }
  public static var filePermissionDenied: Code { .filePermissionDenied }
  public static var fileExists: Code { .fileExists }
  public static var fileNotFound: Code { .fileNotFound }
  public static var fileFormatUpgradeRequired: Code { .fileFormatUpgradeRequired }
  public static var incompatibleLockFile: Code { .incompatibleLockFile }
  public static var addressSpaceExhausted: Code { .addressSpaceExhausted }
  public static var schemaMismatch: Code { .schemaMismatch }
  public static var incompatibleSyncedFile: Code { .incompatibleSyncedFile }
  public static var alreadyOpen: Code { .alreadyOpen }
  public static var invalidInput: Code { .invalidInput }
  public static var outOfDiskSpace: Code { .outOfDiskSpace }
  public static var incompatibleSession: Code { .incompatibleSession }
  public static var unsupportedFileFormatVersion: Code { .unsupportedFileFormatVersion }
  public static var multipleSyncAgents: Code { .multipleSyncAgents }
  public static var subscriptionFailed: Code { .subscriptionFailed }
  public static var fileOperationFailed: Code { .fileOperationFailed }
  public static var invalidDatabase: Code { .invalidDatabase }
  public static var incompatibleHistories: Code { .incompatibleHistories }
  public static var noSubscriptionForWrite: Code { .noSubscriptionForWrite }

  /// What is in the file and cannot be.
  static func damage(_ what: String) -> Realm.Error {
    Realm.Error(.invalidDatabase, "\(what) Restore the file from a backup or its server.")
  }

  /// What a failure of the storage means to somebody who opened or wrote a realm.
  init(_ error: StorageError, fileURL: URL? = nil) {
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

/// Lets `catch Realm.Error.fileAccess` match by code.
public func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
  (error as? Realm.Error)?.code == code
}
