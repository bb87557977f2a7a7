import ChangesetOT
import DataModel
import Foundation
import StorageEngine
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// An object without primary key, with links of every kind to others.
class Leaf: Object {
  @Persisted var name: String
  @Persisted var count: Int
  @Persisted var next: Leaf?
  @Persisted var list: List<Leaf>
  @Persisted var set: MutableSet<Leaf>
  @Persisted var map: Map<String, Leaf?>
  @Persisted var anything: AnyRealmValue
  @Persisted var values: Map<String, AnyRealmValue>
  @Persisted var place: Address?

  /// Links the leaf to another one in every way at once.
  func link(to other: Leaf) {
    next = other
    list.append(other)
    set.insert(other)
    map["other"] = other
    anything = .fromArray([.object(other), .string("and more")])
    values["other"] = .object(other)
  }

  /// The names of what it links to, one for each way.
  var linked: [String] {
    func name(_ value: AnyRealmValue?) -> String { value?.object(Leaf.self)?.name ?? "-" }
    return [
      next?.name ?? "-", list.map(\.name).joined(separator: ","), set.map(\.name).sorted().joined(separator: ","),
      (map["other"] ?? nil)?.name ?? "-", name(anything.listValue?.first), name(values["other"]),
    ]
  }
}

/// A client's file, which can be used before it is connected to any server.
struct LeafDevice {
  let realm: Realm
  let history: ClientHistory

  init(_ configuration: Realm.Configuration? = nil) throws {
    realm = try Realm(configuration: configuration ?? Self.configuration())
    history = ClientHistory(realm.file)
  }

  /// A realm in memory, or at a path.
  static func configuration(path: String? = nil) -> Realm.Configuration {
    var configuration = memoryConfiguration(recordsChangesets: true)
    if let path { configuration.fileURL = URL(fileURLWithPath: path) }
    configuration.recordsChangesets = true
    configuration.objectTypes = [Leaf.self, Address.self]
    return configuration
  }

  /// Makes objects that link to one another in a ring.
  @discardableResult
  func makeRing(_ names: [String]) throws -> [Leaf] {
    try realm.write {
      let leaves = names.map { name in
        let leaf = Leaf()
        leaf.name = name
        realm.add(leaf)
        return leaf
      }
      for (number, leaf) in leaves.enumerated() { leaf.link(to: leaves[(number + 1) % leaves.count]) }
      return leaves
    }
  }

  subscript(name: String) -> Leaf? {
    realm.refresh()
    return realm.objects(Leaf.self).first { $0.name == name }
  }

  var names: [String] {
    realm.refresh()
    return realm.objects(Leaf.self).map(\.name).sorted()
  }

  /// The high halves of the keys of its objects.
  var makers: Set<UInt64> {
    get throws {
      Set(
        (try realm.file.dump().objects["Leaf"] ?? [:]).keys.map { key in
          if case .global(let key) = key { key.high } else { .max }
        })
    }
  }
}

/// A server and devices that come to it late.
struct LeafNetwork {
  let server: ServerHistory
  var random = SeededGenerator(seed: 1)

  init() throws { server = try ServerHistory(try memoryFile(), random: &random) }

  /// A device's first contact, or a later one: it gets its ident, sends what it has and takes what there is.
  mutating func meet(_ device: LeafDevice) throws {
    if try device.history.fileIdent() == .none {
      try device.history.storeFileIdent(try server.allocateClientFile(random: &random))
    }
    let ident = try device.history.fileIdent().ident
    let scan = try device.history.uploadableEntries(after: try device.history.progress().upload)
    let batch = UploadBatch(
      file: ident, progress: scan.progress, lockedServerVersion: scan.lockedServerVersion, entries: scan.entries)
    for outcome in try server.integrate([batch]) {
      if case .refused(let refusal) = outcome { throw refusal }
    }
    try download(device)
  }

  func download(_ device: LeafDevice) throws {
    let ident = try device.history.fileIdent().ident
    let scan = try server.scan(for: ident, from: try device.history.progress().download, byteLimit: .max)
    try device.history.integrate(scan.entries, progress: scan.progress)
  }
}
