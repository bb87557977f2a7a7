import ChangesetOT
import DataModel

@testable import ObjectStore
@testable import RecordStore

/// Texts that only some users may ever be sent: each is written once, and noted with everybody who could have read it in
/// some state of the server. Also objects: no client is told that one of which it never knew was erased.
final class SecretLedger {
  private var count = 0
  /// The clients that wrote them.
  private var authors: [Int: Int] = [:]
  private var readers: [Int: Set<ViewAccess>] = [:]
  /// The secrets of the states that were noted: of one that came and went within a changeset nobody knows who could read it.
  private var noted: Set<Int> = []
  /// The objects of which each client knows: it wrote them, or was sent them.
  private var known: [Int: Set<ObjectReference>] = [:]
  /// Everybody that a client was, or is.
  var accesses: [Int: Set<ViewAccess?>] = [:]
  private(set) var complaint: String?

  /// A new secret of a client.
  func secret(by client: Int) -> String {
    count += 1
    authors[count] = client
    return "~\(count)~"
  }

  /// Notes who could read what in a state of the server, with every subscription that they may have.
  func note(_ facts: RoleFacts) {
    for case .value(.string(let text)) in facts.dump.objects.values.flatMap(\.values).flatMap(\.values) {
      noted.formUnion(Self.secrets(Array(text.utf8)))
    }
    let everyone = Set(accesses.values.flatMap { $0 }.compactMap { $0 })
    for access in everyone {
      let rights = facts.rights(access)
      var held: HeldObjects = [:]
      for (name, objects) in facts.dump.objects where rights.readsClass(name) && rights.subscribes(name) {
        held[name] = Set(objects.keys.filter { rights.reads(ObjectReference(className: name, key: $0)) })
      }
      for name in ["__Realm", "__Class", "__Role", "__User"] where rights.readsClass(name) {
        held[name] = Set((facts.dump.objects[name] ?? [:]).keys)
      }
      held.merge(included(in: held, facts, rights)) { $0.union($1) }
      for (name, keys) in facts.dump.closure(of: held, rights) {
        for key in keys {
          for item in (facts.dump.objects[name]?[key] ?? [:]).values {
            if case .value(.string(let text)) = item {
              for secret in Self.secrets(Array(text.utf8)) { readers[secret, default: []].insert(access) }
            }
          }
        }
      }
    }
  }

  /// The objects that INCLUDE brings for what is held by a subscription.
  private func included(in held: HeldObjects, _ facts: RoleFacts, _ rights: ViewRights) -> HeldObjects {
    var found: HeldObjects = [:]
    for (className, origin, field) in RoleRealm.includes where rights.readsClass(origin) && rights.subscribes(origin) {
      for (key, fields) in facts.dump.objects[origin] ?? [:]
      where rights.reads(ObjectReference(className: origin, key: key)) {
        let links = fields[field]?.links ?? []
        if links.contains(where: { $0.className == className && held[className]?.contains($0.key) == true }) {
          found[origin, default: []].insert(key)
        }
      }
    }
    return found
  }

  /// Notes what a client writes.
  func note(_ instructions: [Instruction], by client: Int) {
    known[client, default: []].formUnion(instructions.compactMap(\.object))
  }

  /// Looks for secrets in what a client is sent.
  func inspect(_ client: Int, _ entries: [DownloadEntry]) throws {
    let accesses = accesses[client] ?? []
    guard !accesses.contains(nil) else { return }
    for entry in entries {
      let origin = ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin)
      for instruction in try Changeset(decoding: entry.changeset, origin: origin).instructions {
        switch instruction {
        case .createObject(let it): known[client, default: []].insert(it.object)
        case .eraseObject(let it) where known[client]?.contains(it.object) != true:
          complaint = complaint ?? "client \(client) was told that \(it.object) is gone, of which it never knew"
        default: break
        }
      }
    }
    for secret in entries.flatMap({ Self.secrets(Array($0.changeset)) })
    where authors[secret] != client && noted.contains(secret) {
      if readers[secret]?.contains(where: { accesses.contains($0) }) != true {
        complaint = complaint ?? "client \(client) was sent the secret ~\(secret)~ of client \(authors[secret] ?? -1)"
      }
    }
  }

  private static func secrets(_ bytes: [UInt8]) -> [Int] {
    bytes.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false).compactMap {
      $0.isEmpty ? nil : Int(String(decoding: $0, as: UTF8.self))
    }
  }
}
