import AuthClient
public import Permissions
public import Telemetry

// RealmSwift's names of types that have other names here.

/// The level of a log line.
public typealias SyncLogLevel = LogLevel

/// Keeps a progress handler registered.
public typealias ProgressNotificationToken = SyncToken

/// The handler of a login: the user or the error.
public typealias UserCompletionBlock = SyncUser.UserCompletionBlock

/// The handler of errors of sessions: the error, and the session that it belongs to.
public typealias ErrorReportingBlock = SyncManager.ErrorReportingBlock

/// The permissions that ``SyncUser/retrievePermissions(callback:)`` gives.
public typealias SyncPermissionResults = [SyncPermission]
