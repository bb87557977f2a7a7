// The umbrella: an app that moves over keeps `import RealmSwift` and finds the names that it knows.

@_exported import AuthClient
@_exported import Foundation
@_exported import ObjectStore
@_exported import Permissions
@_exported import SyncClient
