import Foundation
import TestKit
import Testing

@testable import StorageEngine

/// What processes say to each other through `<path>.lock`.
@Suite struct LockFileTests {
  private func size(_ path: String) throws -> Int {
    try (FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? -1
  }

  @Test("a store that is opened, read and closed shares no memory, and others see its pin all the same")
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
    // From the next pin on, memory is shared.
    snapshot = try store?.latestSnapshot()
    #expect(try other.oldestVersionElsewhere() == version)
    #expect(snapshot != nil)
    (snapshot, store) = (nil, nil)
    #expect(try !other.hasOthers())
    #expect(try other.oldestVersionElsewhere() == nil)
  }

  @Test("before the first version is read all are pinned, and what a dead process left is overwritten")
  func beforeTheFirst() throws {
    let folder = TemporaryFolder()
    let lock = folder.file() + ".lock"
    // Slot 0 of a process that was killed: a pin, and the wish to be woken.
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

  @Test("registry said by calls reach others one by one, also those below the last")
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

  @Test("whoever closes takes its pin back by a call, and begins to share no memory for that")
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
    #expect(store === same && snapshot != nil && none == nil)
    #expect(store.knownVersion == snapshot?.version)
  }

  @Test("nodes are reclaimed every 64 commits, and every 16 where commits leave many")
  func intervals() {
    let few = (1...256).filter { NodeReclaimer.isDue($0, retired: NodeReclaimer.manyNodes) }
    let many = (1...256).filter { NodeReclaimer.isDue($0, retired: NodeReclaimer.manyNodes + 1) }
    #expect(few == [64, 128, 192, 256])
    #expect(many == Array(stride(from: 16, through: 256, by: 16)))
  }

  @Test("the companion of a file that others may not read, may not be read by others either")
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
