import ChangesetOT
import ObjectStore
import RecordStore
import SyncClient
import Telemetry
import TestKit
import Transport
import TransportSimulated

/// One realm on one device: a file in memory, an app that edits it through live objects, and a sync session.
final class Replica {
  /// The path on the server.
  let path: String
  let file: RealmFile
  private let device: String
  private let configuration: Realm.Configuration
  private let usesEveryType: Bool
  private(set) var session: SyncSession?
  private(set) var realm: Realm?
  /// Resets and divergences in the sessions before the present one.
  private var earlier = (resets: 0, divergences: 0)
  /// The slip of the last transaction, held as long as the app runs.
  private var lastSlip: Slip?
  /// The transactions that were made.
  var receipts: [String] = []
  /// Those that the server refused.
  let refusals = RefusalLog()
  /// The subscriptions; nil for a realm that is synced whole.
  let view: ReplicaView?

  init(
    path: String, device: String, location: String, hardware: HostHardware, loop: SimulatedLoop, usesEveryType: Bool,
    isQueried: Bool
  ) throws {
    self.path = path
    self.device = device
    self.usesEveryType = usesEveryType
    var options = RealmFile.Options(
      recordsChangesets: true,
      clock: { OriginTimestamp(unixMilliseconds: (loop.wallTime + hardware.clockError).millisecondsSince1970) })
    options.beforeCommit = { try hardware.checkDiskSpace() }
    file = try RealmFile.open(.inMemory(name: location), options: options)
    view = isQueried ? try ReplicaView(file, device: device, usesEveryType: usesEveryType) : nil
    var configuration = Realm.Configuration(inMemoryIdentifier: location)
    configuration.objectTypes =
      usesEveryType
      ? [Note.self, Receipt.self, Card.self, Place.self, Loose.self, Slip.self] : [Note.self, Receipt.self]
    self.configuration = configuration
  }

  /// Starts the app over the file.
  func start(_ client: SyncClient, user: String, tokens: FixedTokenSource) throws {
    realm = try Realm(configuration: configuration)
    let service = view == nil ? "" : "/api/client/v2.0/app/\(PercentCoding.encoded(path))"
    let target = SyncTarget(
      server: NetworkURL(scheme: .ws, host: "server", port: 9080, target: service + "/realm-sync"), path: path,
      user: user, flavour: view == nil ? .full : .flexible)
    session = client.open(file, at: target, tokens: tokens)
  }

  /// Ends the app.
  func stop() {
    earlier = (resets, divergences)
    session = nil
    lastSlip = nil
    realm = nil
  }

  /// One write transaction of the app. It has no effect with a full disk, and when it makes an object of a class without a
  /// subscription.
  ///
  /// - Returns: whether it was made.
  func edit(using random: inout SeededGenerator) throws -> Bool {
    guard let realm else { return false }
    realm.refresh()
    let name = "\(device) \(receipts.count)"
    var slip: Slip?
    do {
      try realm.write {
        if usesEveryType, random.oneIn(2) {
          EditsOfEveryType.make(in: realm, by: device, using: &random)
        } else {
          Edits.make(in: realm, using: &random)
        }
        let receipt = Receipt()
        receipt._id = name
        realm.add(receipt)
        receipt.marks.append(name)
        if usesEveryType { slip = makeSlip(name, in: realm) }
      }
    } catch Realm.Error.outOfDiskSpace {
      return false
    } catch Realm.Error.noSubscriptionForWrite where view != nil {
      return false
    }
    receipts.append(name)
    lastSlip = slip
    return true
  }

  private func makeSlip(_ name: String, in realm: Realm) -> Slip {
    let slip = Slip()
    slip.name = name
    realm.add(slip)
    var last = lastSlip
    if last?.isInvalidated ?? true, let previous = receipts.last {
      last = realm.objects(Slip.self).first { $0.name == previous }
    }
    if let last {
      slip.before = last
      slip.list.append(last)
      slip.anything = .object(last)
    }
    return slip
  }

  /// Whether the file holds what it must of the server's objects, and its subscriptions are settled.
  func isInStep(with server: StateDump) throws -> Bool {
    guard let view else { return try file.dump() == server }
    return try view.trouble() == nil && file.dump() == view.selected(of: server)
  }

  /// Resets of the file to the server's state.
  var resets: Int { earlier.resets + (session?.status.resets ?? 0) }

  /// Divergences of the file from the server.
  var divergences: Int { earlier.divergences + (session?.status.divergences ?? 0) }
}
