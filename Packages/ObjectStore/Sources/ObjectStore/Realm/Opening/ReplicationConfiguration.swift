/// What replicates a realm: the slot in ``Realm/Configuration`` through which a sync client attaches itself.
public protocol ReplicationConfiguration: Sendable {
  /// Where the file of the realm lives; used in place of the configuration's own file.
  var location: RealmLocation { get }
  /// Names what the realm is replicated with: equal for the same realm of the same user and server.
  var identity: String { get }
  /// Names the realm on its server: equal for the same realm, whoever its user here is.
  var realmIdentity: String { get }
  /// Called at every opening of the realm with this configuration, after the file is open. What it returns is kept as
  /// long as the file is open in this process; of several results for one file the first is kept.
  func attach(to file: RealmFile) throws -> any Sendable & AnyObject
}

extension ReplicationConfiguration {
  /// ``identity``: as if every user had a realm of their own.
  public var realmIdentity: String { identity }
}
