import Foundation
import TestKit
import Testing

@testable import StorageEngine

/// The reader-slot table of `<path>.lock`, as several processes see it.
@Suite struct LockFileTests {
  private func size(_ path: String) throws -> Int {
    try (FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? -1
  }

  @Test("a store that is opened, read and closed shares no memory, and other processes see its oldest version")
  func pinsByCalls() throws {
    let folder = TemporaryFolder()
    let lock = folder.file() + ".lock"
    var version: UInt64 = 0
    do {
      let store = try Store.open(.file(path: folder.file()))
      for number in 0..<3 { try store.write { try $0.setRootRecord("tick", [UInt8(number)]) } }
      version = try store.latestSnapshot().version.rawValue
    }
    try FileManager.default.removeItem(atPath: lock)
    var (store, snapshot): (Store?, Snapshot?) = try Store.openAndRead(.file(path: folder.file()))
    #expect(snapshot?.version.rawValue == version)
    #expect(try size(lock) < 64)
    let other = try LockFile(path: lock)
    #expect(try other.oldestVersionElsewhere() == version)
    snapshot = nil
    #expect(try other.oldestVersionElsewhere() == nil)
    // From the next published version on, memory is shared.
    snapshot = try store?.latestSnapshot()
    #expect(try other.oldestVersionElsewhere() == version)
    #expect(snapshot != nil)
    (snapshot, store) = (nil, nil)
    #expect(try !other.hasOthers())
    #expect(try other.oldestVersionElsewhere() == nil)
  }

  @Test("all versions have a reader before the first is read, and the slot of a dead process is overwritten")
  func beforeTheFirst() throws {
    let folder = TemporaryFolder()
    let lock = folder.file() + ".lock"
    // The slot of a process that was killed: a version, and the watcher's mark.
    var words: [UInt64] = [0, 1, 77, 1]
    try Data(bytes: &words, count: 32).write(to: URL(fileURLWithPath: lock))
    let first = try LockFile(path: lock)
    let second = try LockFile(path: lock)
    #expect(try second.oldestVersionElsewhere() == 1)
    #expect(try first.oldestVersionElsewhere() == 1)
    let saved = try Data(contentsOf: URL(fileURLWithPath: lock))
    #expect(saved[16..<32].elementsEqual([1] + [UInt8](repeating: 0, count: 15)))
    second.publish(oldestVersion: 9)
    #expect(try first.oldestVersionElsewhere() == 9)
    for pin: UInt64 in [5, 0, 6, 4, 8] {
      first.publish(oldestVersion: pin)
      #expect(try second.oldestVersionElsewhere() == (pin == 0 ? nil : pin))
    }
  }

  @Test("versions published by calls reach other processes one by one, also those below the last")
  func everyPin() throws {
    let folder = TemporaryFolder()
    let lock = folder.file() + ".lock"
    let first = try LockFile(path: lock)
    let second = try LockFile(path: lock)
    for pin: UInt64 in [5, 0, 6, 4, 8, 0] {
      first.publish(oldestVersion: pin)
      #expect(try second.oldestVersionElsewhere() == (pin == 0 ? nil : pin))
    }
  }

  @Test("closing withdraws the published version by a call, without sharing memory")
  func closing() throws {
    let folder = TemporaryFolder()
    let lock = folder.file() + ".lock"
    var first: LockFile? = try LockFile(path: lock)
    for pin: UInt64 in [5, 6] { first?.publish(oldestVersion: pin) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: lock))[16] == 6)
    first = nil
    #expect(try Data(contentsOf: URL(fileURLWithPath: lock))[16] == 0)
    #expect(try size(lock) < 64)
  }

  @Test("a second opening reads nothing, and gives the store that is open")
  func joining() throws {
    let folder = TemporaryFolder()
    let (store, snapshot) = try Store.openAndRead(.file(path: folder.file()))
    let (same, none) = try Store.openAndRead(.file(path: folder.file()))
    #expect(store === same)
    #expect(snapshot != nil)
    #expect(none == nil)
    #expect(store.knownVersion == snapshot?.version)
  }

  @Test("nodes are reclaimed every 64 commits, and every 16 when commits replace many")
  func intervals() {
    let few = (1...256).filter { NodeReclaimer.isDue($0, retired: NodeReclaimer.manyNodes) }
    let many = (1...256).filter { NodeReclaimer.isDue($0, retired: NodeReclaimer.manyNodes + 1) }
    #expect(few == [64, 128, 192, 256])
    #expect(many == Array(stride(from: 16, through: 256, by: 16)))
  }

  @Test("the lock file of a file that others may not read may not be read by others either")
  func mode() throws {
    let folder = TemporaryFolder()
    #expect(FileManager.default.createFile(atPath: folder.file(), contents: nil))
    for mode in [0o600, 0o644] {
      chmod(folder.file(), mode_t(mode))
      let lock = folder.file() + ".lock"
      unlink(lock)
      _ = try LockFile(path: lock)
      let found = try FileManager.default.attributesOfItem(atPath: lock)[.posixPermissions] as? Int
      #expect((found ?? 0o777) & ~mode == 0)
    }
  }
}
