import Foundation
public import ObjectStore
import RecordStore
import SyncProtocol
import Transport

/// Realms that are synced by queries.
extension SyncUser {
  /// A configuration that opens the server's default realm, synced by queries.
  ///
  ///     let configuration = user.flexibleSyncConfiguration { subscriptions in
  ///       subscriptions.append(QuerySubscription<Dog>(name: "all dogs"))
  ///     }
  ///     let realm = try await Realm(configuration: configuration, downloadBeforeOpen: .once)
  ///
  /// - Parameters:
  ///   - clientResetMode: the treatment of the file when the server cannot continue its history.
  ///   - cancelAsyncOpenOnNonFatalErrors: whether opening asynchronously ends with the first error, also with one that
  ///     may pass by itself.
  ///   - initialSubscriptions: fills the subscriptions when the file is new; opening asynchronously waits for them.
  ///   - rerunOnOpen: whether `initialSubscriptions` runs at the first opening of each process.
  public func flexibleSyncConfiguration(
    clientResetMode: ClientResetMode = .recoverUnsyncedChanges(), cancelAsyncOpenOnNonFatalErrors: Bool = false,
    initialSubscriptions: (@Sendable (SyncSubscriptionSet) -> Void)? = nil, rerunOnOpen: Bool = false
  ) -> Realm.Configuration {
    var sync = syncConfiguration(
      cancelAsyncOpenOnNonFatalErrors: cancelAsyncOpenOnNonFatalErrors, clientResetMode: clientResetMode)
    sync.initialSubscriptions = initialSubscriptions
    sync.rerunOnOpen = rerunOnOpen
    var configuration = Realm.Configuration()
    configuration.syncConfiguration = sync
    return configuration
  }

  /// The service path of a realm. BIND of flexible sync names no realm; the app id in the service path does: the manager's
  /// for the default realm, and for others their path.
  func servicePath(of realm: String, _ flavour: SyncFlavour) -> String {
    guard flavour == .flexible else { return "/realm-sync" }
    let app = realm == "/default" ? manager.appID : realm
    return app.isEmpty ? "/realm-sync" : "/api/client/v2.0/app/\(PercentCoding.encoded(app))/realm-sync"
  }
}

extension SyncConfiguration {
  /// Makes the file one of this configuration's mode, and gives a new one its initial subscriptions.
  func prepareSubscriptions(of file: RealmFile) throws {
    let store = SubscriptionStore(file)
    if fullSynchronization { return try store.checkIsSyncedWhole() }
    let isNew = try store.prepare()
    let isLaunch = LaunchedFiles.shared.add(file)
    guard let initialSubscriptions, isNew || (rerunOnOpen && isLaunch), let latest = try store.sets()?.latest else {
      return
    }
    let set = SyncSubscriptionSet(store, latest)
    do { try set.write { initialSubscriptions(set) } } catch {
      // Opening again begins anew.
      if isNew { try store.abandon() }
      throw error
    }
  }
}
