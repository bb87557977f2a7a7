import Foundation
import ObjectStore
import TestKit

@testable import SyncClient

/// A device of a user of their own, whose realm has the objects of one range of keys.
final class KilledDevice: @unchecked Sendable {
  /// The first key of the range. Both sides append to the tags of its object; the objects of the next 60 keys come and go.
  let base: Int
  private var configuration = Realm.Configuration()

  init(_ number: Int, port: Int, folder: URL) async throws {
    base = number * 1_000
    let manager = SyncManager(
      rootDirectory: folder.appendingPathComponent("device \(number)", isDirectory: true))
    manager.logLevel = .off
    guard let url = URL(string: "http://127.0.0.1:\(port)"),
      let realm = URL(string: "realm://127.0.0.1:\(port)/~/items")
    else { throw WaitTimeout(expectation: "the realm") }
    let user = try await Self.logIn("ann \(number)", url, manager)
    configuration = user.configuration(realmURL: realm, fullSynchronization: true)
    configuration.objectTypes = [KilledItem.self]
    try append("first \(number)", to: try Realm(configuration: configuration))
  }

  private static func logIn(_ name: String, _ url: URL, _ manager: SyncManager) async throws -> SyncUser {
    let end = ContinuousClock.now + .seconds(60)
    while true {
      do {
        return try await SyncUser.logIn(
          with: .usernamePassword(username: name, password: "secret 1", register: true), server: url, manager: manager)
      } catch {
        guard ContinuousClock.now < end else { throw error }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Stops to sync.
  func end() { configuration.syncConfiguration = nil }

  /// Writes one transaction.
  ///
  /// - Returns: the tag that was appended, if one was.
  func write(_ number: Int, _ random: inout SeededGenerator) throws -> String? {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    guard number % 20 == 0 else {
      try change(number, realm, &random)
      return nil
    }
    let tag = "realm \(base) \(number)"
    try append(tag, to: realm)
    return tag
  }

  private func append(_ tag: String, to realm: Realm) throws {
    try realm.write {
      let item =
        realm.object(ofType: KilledItem.self, forPrimaryKey: base) ?? realm.create(KilledItem.self, value: ["id": base])
      item.tags.append(tag)
    }
  }

  private func change(_ number: Int, _ realm: Realm, _ random: inout SeededGenerator) throws {
    let key = base + Int.random(in: 1...60, using: &random)
    let kind = Int.random(in: 0..<10, using: &random)
    try realm.write {
      guard let item = realm.object(ofType: KilledItem.self, forPrimaryKey: key) else {
        realm.create(KilledItem.self, value: ["id": key, "title": "realm \(number)", "amount": number])
        return
      }
      switch kind {
      case 0: realm.delete(item)
      case 1...3: item.title = "realm \(number)"
      case 4: item.parent = realm.object(ofType: KilledItem.self, forPrimaryKey: key + 1)
      case 5: if !item.tags.isEmpty { item.tags.remove(at: item.tags.count - 1) }
      case 6: item.tags.insert("r\(number)", at: 0)
      default: item.amount = number
      }
    }
  }

  /// The fields of all objects, by their keys.
  func objects() throws -> [Int: [String]] {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    var objects: [Int: [String]] = [:]
    for item in realm.objects(KilledItem.self) {
      objects[item.id] =
        [item.title ?? "NULL", "\(item.amount)", item.parent.map { "\($0.id)" } ?? "NULL"] + Array(item.tags)
    }
    return objects
  }
}
