import Foundation
import ObjectStore
import Synchronization
import SyncClient

/// Proof of one transaction, with one mark.
final class BlackBoxReceipt: Object {
  @Persisted(primaryKey: true) var _id: String
  @Persisted var marks: List<String>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The object that all apps edit.
final class BlackBoxNote: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var title: String
  @Persisted var count: Int
  @Persisted var tags: List<String>

  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The process of an app. Prints a line for each transaction when it is durable (`made`) and when the server has it
/// (`acknowledged`), and whether this process syncs the file (`holds`) or another one (`waits`). Reads commands:
/// `settle` ends the editing, `dump` prints the contents.
enum AppRole {
  private final class Orders: Sendable {
    private let lines = Mutex<Set<String>>([])
    func add(_ line: String) { lines.withLock { _ = $0.insert(line) } }
    func has(_ line: String) -> Bool { lines.withLock { $0.contains(line) } }
  }

  static func run(folder: String, server: String, name: String, user: String) async {
    let orders = Orders()
    Thread.detachNewThread {
      while let line = readLine() { orders.add(line) }
      // The parent process has ended.
      exit(0)
    }
    do {
      let configuration = try await configuration(folder: folder, server: server, name: user)
      try await edit(configuration, name, orders)
      let session = try session(configuration)
      try await insist { try await session.waitForUpload() }
      say("settled")
      while !orders.has("dump") { try await Task.sleep(for: .milliseconds(10)) }
      try await insist { try await session.waitForDownload() }
      try dump(configuration, resets: session.status.resets)
      say("end")
    } catch {
      say("failed \(error)")
      exit(1)
    }
  }

  private static func configuration(
    folder: String, server: String, name: String
  ) async throws -> Realm.Configuration {
    let manager = SyncManager.shared
    manager.rootDirectory = URL(fileURLWithPath: folder, isDirectory: true)
    manager.logLevel = .off
    let url = URL(fileURLWithPath: "/")
    var user = SyncUser.current
    while user == nil {
      for register in [true, false] where user == nil {
        user = try? await SyncUser.logIn(
          with: .usernamePassword(username: name, password: "secret 1", register: register),
          server: URL(string: server) ?? url)
      }
      if user == nil { try await Task.sleep(for: .milliseconds(100)) }
    }
    let realm = URL(string: server.replacingOccurrences(of: "http://", with: "realm://") + "/~/notes")
    guard var configuration = user?.configuration(realmURL: realm, fullSynchronization: true) else {
      throw CocoaError(.fileNoSuchFile)
    }
    configuration.objectTypes = [BlackBoxNote.self, BlackBoxReceipt.self]
    return configuration
  }

  private static func session(_ configuration: Realm.Configuration) throws -> SyncSession {
    guard let session = try Realm(configuration: configuration).syncSession else {
      throw CocoaError(.fileNoSuchFile)
    }
    return session
  }

  /// Repeats a wait that ends with a passing error, up to a hundred times.
  private static func insist(_ wait: () async throws -> Void) async throws {
    for attempt in 0... {
      do { return try await wait() } catch {
        if attempt > 100 { throw error }
        try await Task.sleep(for: .milliseconds(200))
      }
    }
  }

  private static func edit(_ configuration: Realm.Configuration, _ name: String, _ orders: Orders) async throws {
    let session = try session(configuration)
    var number = try count(configuration, name)
    let waiting = Mutex(0)
    let role = Mutex("")
    let token = session.observe { status in
      let now = status.isSyncedElsewhere ? "waits" : status.connection == .connected ? "holds" : ""
      let isNew = role.withLock { role in
        defer { if !now.isEmpty { role = now } }
        return !now.isEmpty && role != now
      }
      if isNew { say(now) }
    }
    defer { token.invalidate() }
    while !orders.has("settle") {
      let receipt = "\(name) \(number)"
      try write(configuration, receipt)
      say("made \(receipt)")
      number += 1
      if waiting.withLock({ $0 }) < 3 {
        waiting.withLock { $0 += 1 }
        session.waitForUpload { result in
          waiting.withLock { $0 -= 1 }
          if case .success = result { say("acknowledged \(receipt)") }
        }
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 1...40)))
    }
  }

  /// The number of transactions of earlier processes.
  private static func count(_ configuration: Realm.Configuration, _ name: String) throws -> Int {
    let realm = try Realm(configuration: configuration)
    return realm.objects(BlackBoxReceipt.self).filter("_id BEGINSWITH %@", name + " ").count
  }

  private static func write(_ configuration: Realm.Configuration, _ receipt: String) throws {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    try realm.write {
      let made = BlackBoxReceipt()
      made._id = receipt
      realm.add(made)
      made.marks.append(receipt)
      let key = Int.random(in: 0..<6)
      guard let note = realm.object(ofType: BlackBoxNote.self, forPrimaryKey: key) else {
        let note = BlackBoxNote()
        note._id = key
        return realm.add(note)
      }
      switch Int.random(in: 0..<8) {
      case 0: realm.delete(note)
      case 1: note.title = receipt
      case 2: note.count += 1
      case 3 where !note.tags.isEmpty: note.tags.remove(at: Int.random(in: 0..<note.tags.count))
      case 4 where note.tags.count > 1: note.tags.move(from: 0, to: note.tags.count - 1)
      default: note.tags.insert(receipt, at: Int.random(in: 0...note.tags.count))
      }
    }
  }

  private static func dump(_ configuration: Realm.Configuration, resets: Int) throws {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    for receipt in realm.objects(BlackBoxReceipt.self) { say("receipt \(receipt.marks.count) \(receipt._id)") }
    for note in realm.objects(BlackBoxNote.self).sorted(byKeyPath: "_id") {
      say("note \(note._id) \(note.title) \(note.count) \(Array(note.tags))")
    }
    say("resets \(resets)")
  }
}
