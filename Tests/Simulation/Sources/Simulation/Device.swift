import ChangesetOT
import ObjectStore
import SyncClient
import Telemetry
import TestKit
import Transport
import TransportSimulated

/// One device: a realm file in memory, an app that edits it through live objects, and a sync session.
final class Device {
  let name: String
  let client: SyncClient
  let file: RealmFile
  let session: SyncSession
  private let realm: Realm

  init(
    name: String, location: String, client: SyncClient, network: SimulatedNetwork, clockError: Duration,
    tokens: FixedTokenSource
  ) throws {
    self.name = name
    self.client = client
    let loop = network.loop
    file = try RealmFile.open(
      .inMemory(name: location),
      options: RealmFile.Options(
        recordsChangesets: true,
        clock: { OriginTimestamp(unixMilliseconds: (loop.wallTime + clockError).millisecondsSince1970) }))
    var configuration = Realm.Configuration(inMemoryIdentifier: location)
    configuration.objectTypes = [Note.self]
    realm = try Realm(configuration: configuration)
    let target = SyncTarget(
      server: NetworkURL(scheme: .ws, host: "server", port: 9080, target: "/realm-sync"), path: "/ann/notes",
      user: "ann")
    session = client.open(file, at: target, tokens: tokens)
  }

  /// One write transaction of the app.
  func edit(using random: inout SeededGenerator) throws {
    realm.refresh()
    try realm.write { Edits.make(in: realm, using: &random) }
  }
}
