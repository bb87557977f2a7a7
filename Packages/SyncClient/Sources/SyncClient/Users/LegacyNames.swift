import AuthClient
public import Permissions
public import Telemetry

// RealmSwift's names of types that have other names here.

/// The level of a log line.
public typealias SyncLogLevel = LogLevel

/// Keeps a progress handler registered.
public typealias ProgressNotificationToken = SyncToken

/// The permissions that ``SyncUser/retrievePermissions(callback:)`` gives.
public typealias SyncPermissionResults = [SyncPermission]
