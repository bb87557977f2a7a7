public import RecordStore

extension Realm {
  /// An operating error of a realm: a stable code, a message that says what to do, and the cause.
  ///
  ///     do { _ = try Realm(configuration: configuration) } catch Realm.Error.fileAccess { … }
  public typealias Error = RecordStoreError
}

extension Realm.Error {
  /// The error with code `fail` and no details.
  public static let callFailed = Realm.Error(.fail, "The call failed.")
  /// The code `fail`, for patterns.
  public static var fail: Code { .fail }
  /// The code `fileAccess`, for patterns.
  public static var fileAccess: Code { .fileAccess }
  /// The code `filePermissionDenied`, for patterns.
  public static var filePermissionDenied: Code { .filePermissionDenied }
  /// The code `fileExists`, for patterns.
  public static var fileExists: Code { .fileExists }
  /// The code `fileNotFound`, for patterns.
  public static var fileNotFound: Code { .fileNotFound }
  /// The code `fileFormatUpgradeRequired`, for patterns.
  public static var fileFormatUpgradeRequired: Code { .fileFormatUpgradeRequired }
  /// The code `incompatibleLockFile`, for patterns.
  public static var incompatibleLockFile: Code { .incompatibleLockFile }
  /// The code `addressSpaceExhausted`, for patterns.
  public static var addressSpaceExhausted: Code { .addressSpaceExhausted }
  /// The code `schemaMismatch`, for patterns.
  public static var schemaMismatch: Code { .schemaMismatch }
  /// The code `incompatibleSyncedFile`, for patterns.
  public static var incompatibleSyncedFile: Code { .incompatibleSyncedFile }
  /// The code `alreadyOpen`, for patterns.
  public static var alreadyOpen: Code { .alreadyOpen }
  /// The code `invalidInput`, for patterns.
  public static var invalidInput: Code { .invalidInput }
  /// The code `outOfDiskSpace`, for patterns.
  public static var outOfDiskSpace: Code { .outOfDiskSpace }
  /// The code `incompatibleSession`, for patterns.
  public static var incompatibleSession: Code { .incompatibleSession }
  /// The code `unsupportedFileFormatVersion`, for patterns.
  public static var unsupportedFileFormatVersion: Code { .unsupportedFileFormatVersion }
  /// The code `multipleSyncAgents`, for patterns.
  public static var multipleSyncAgents: Code { .multipleSyncAgents }
  /// The code `subscriptionFailed`, for patterns.
  public static var subscriptionFailed: Code { .subscriptionFailed }
  /// The code `fileOperationFailed`, for patterns.
  public static var fileOperationFailed: Code { .fileOperationFailed }
  /// The code `invalidDatabase`, for patterns.
  public static var invalidDatabase: Code { .invalidDatabase }
  /// The code `incompatibleHistories`, for patterns.
  public static var incompatibleHistories: Code { .incompatibleHistories }
  /// The code `noSubscriptionForWrite`, for patterns.
  public static var noSubscriptionForWrite: Code { .noSubscriptionForWrite }
}

/// Matches an error by its code, so that `catch Realm.Error.fileAccess` reads as in RealmSwift.
public func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
  (error as? Realm.Error)?.code == code
}
