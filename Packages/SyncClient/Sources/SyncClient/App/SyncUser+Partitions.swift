import AuthClient
import Foundation
public import ObjectStore
import Permissions
import Transport

/// Realms by partition value, as apps of App Services divide their data.
extension SyncUser {
  /// A configuration that opens the realm of a partition and keeps it in step.
  ///
  ///     let realm = try await Realm(configuration: user.configuration(partitionValue: "team a"), downloadBeforeOpen: .once)
  ///
  /// A value of a type that cannot divide data (text, integers, object ids, UUIDs and null can) is reported by opening the
  /// realm.
  ///
  /// - Parameters:
  ///   - partitionValue: the partition.
  ///   - clientResetMode: the treatment of the file when the server cannot continue its history.
  ///   - cancelAsyncOpenOnNonFatalErrors: whether opening asynchronously ends with the first error, also with one that
  ///     may pass by itself.
  public func configuration<Value: BSON>(
    partitionValue: Value, clientResetMode: ClientResetMode = .recoverUnsyncedChanges(),
    cancelAsyncOpenOnNonFatalErrors: Bool = false
  ) -> Realm.Configuration {
    configuration(
      partitionValue: partitionValue.anyBSON as AnyBSON?, clientResetMode: clientResetMode,
      cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors)
  }

  /// The form of `configuration(partitionValue:)` for a value of any type; nil is the partition of objects without one.
  public func configuration(
    partitionValue: AnyBSON?, clientResetMode: ClientResetMode = .recoverUnsyncedChanges(),
    cancelAsyncOpenOnNonFatalErrors: Bool = false
  ) -> Realm.Configuration {
    makeFolder()
    let value = partitionValue ?? .null
    let target = Result { try self.target(partition: value) }
    var configuration = Realm.Configuration()
    configuration.syncConfiguration = SyncConfiguration(
      user: self, realmURL: realmURL(ofPartition: value), serverValidationPolicy: .system, fullSynchronization: true,
      urlPrefix: nil, cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors,
      clientResetMode: clientResetMode, keepsBackupOfReset: false, partitionValue: value, target: target)
    return configuration
  }

  /// The session of the open realm of a partition; nil when it is not open.
  public func session(forPartitionValue value: AnyBSON) -> SyncSession? {
    guard let path = value.partition?.description else { return nil }
    return allSessions.first { $0.target.path == path }
  }

  /// The session of the open realm of a partition; nil when it is not open.
  public func session<Value: BSON>(forPartitionValue value: Value) -> SyncSession? {
    session(forPartitionValue: value.anyBSON)
  }

  private func target(partition value: AnyBSON) throws -> SyncTarget {
    guard let partition = value.partition else {
      throw SyncAuthError(
        .badRemoteRealmPath, "a value of this type is no partition",
        remedy: "use text, an integer, an object id, a UUID or null")
    }
    let server = NetworkURL(
      scheme: auth.server.scheme.isSecure ? .wss : .ws, host: auth.server.host, port: auth.server.port,
      target: "/api/client/v2.0/app/\(PercentCoding.encoded(auth.app))/realm-sync")
    return SyncTarget(server: server, path: partition.description, user: userKey)
  }

  private func realmURL(ofPartition value: AnyBSON) -> URL {
    let path = PercentCoding.encoded(value.partition?.description ?? "")
    let scheme = auth.server.scheme.isSecure ? "realms" : "realm"
    return URL(string: "\(scheme)://\(auth.server.authority)/\(path)") ?? URL(fileURLWithPath: "/")
  }
}
