import AuthClient
public import Permissions
public import Telemetry

// Names of RealmSwift for what has another name here.

/// How much is logged.
public typealias SyncLogLevel = LogLevel

/// Keeps a progress handler registered.
public typealias ProgressNotificationToken = SyncToken

/// The permissions that ``SyncUser/retrievePermissions(callback:)`` gives.
public typealias SyncPermissionResults = [SyncPermission]
