// Re-exports the modules that apps use, under the name of Realm's Swift module.

@_exported import AuthClient
@_exported import Foundation
@_exported import ObjectStore
@_exported import Permissions
@_exported import SyncClient
