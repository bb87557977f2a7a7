import ChangesetOT
import Foundation
import ObjectStore
import RecordStore
import TestKit
import Testing

/// File idents are parts of the keys of objects without primary key: two files must never have the same one.
struct FileIdentTests {
  private func options(_ seconds: Int64) -> RealmFile.Options {
    RealmFile.Options(clock: { OriginTimestamp(unixMilliseconds: (1_767_225_600 + seconds) * 1_000) })
  }

  private func open(
    _ name: String, at seconds: Int64, incarnation: Int64?, isNew: Bool = true
  ) throws -> ServerHistory {
    var random = SeededGenerator(seed: UInt64(seconds) &+ 1)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    return try ServerHistory(
      RealmFile.open(.file(path: path), options: options(seconds)), random: &random, incarnation: incarnation,
      isNew: isNew)
  }

  private func allocate(_ history: ServerHistory, _ count: Int) throws -> [UInt64] {
    var random = SeededGenerator(seed: UInt64(count))
    return try (0..<count).map { _ in try history.allocateClientFile(random: &random).ident.rawValue }
  }

  private static func names(_ count: Int) -> [String] { (0..<count).map { _ in "idents-\(UUID().uuidString).realm" } }

  private static func remove(_ names: [String]) {
    for name in names {
      try? FileManager.default.removeItem(at: FileManager.default.temporaryDirectory.appendingPathComponent(name))
    }
  }

  @Test("a server that was restored gives out no ident that was given out after the backup")
  func restored() throws {
    let names = Self.names(3)
    defer { Self.remove(names) }
    let first = try open(names[0], at: 0, incarnation: 71)
    let before = try allocate(first, 3)
    #expect(before == [2, 3, 4])
    let copy = FileManager.default.temporaryDirectory.appendingPathComponent(names[1]).path
    let second = FileManager.default.temporaryDirectory.appendingPathComponent(names[2]).path
    try first.file.writeBackup(toPath: copy)
    try first.file.writeBackup(toPath: second)
    let after = try allocate(first, 50)
    let restored = try allocate(try open(names[1], at: 60, incarnation: 72), 50)
    let again = try allocate(try open(names[2], at: 90_000, incarnation: 73), 50)
    #expect(Set(before + after + restored + again).count == 153)
    #expect((restored + again).allSatisfy { $0 < 1 << 30 })
  }

  @Test("a realm whose file was lost gives out no ident that the lost one gave out")
  func lost() throws {
    let names = Self.names(2)
    defer { Self.remove(names) }
    let before = try allocate(try open(names[0], at: 0, incarnation: 71), 50)
    let after = try allocate(try open(names[1], at: 60, incarnation: 72, isNew: false), 50)
    #expect(Set(before + after).count == 100)
    #expect(after.allSatisfy { $0 < 1 << 30 })
  }

  @Test("servers that begin from one backup at one moment give out different idents")
  func atOneMoment() throws {
    var all: Set<UInt64> = []
    for process in 1...40 {
      var random = SeededGenerator(seed: UInt64(process))
      let file = try RealmFile.open(.inMemory(name: "idents \(UUID().uuidString)"), options: options(0))
      let history = try ServerHistory(file, random: &random, incarnation: Int64(process), isNew: false)
      for _ in 0..<10 { all.insert(try history.allocateClientFile(random: &random).ident.rawValue) }
    }
    #expect(all.count == 400)
  }

  @Test("each ident finds its file through any number of restarts, and what was leapt over finds none")
  func found() throws {
    var random = SeededGenerator(seed: 5)
    let file = try RealmFile.open(.inMemory(name: "idents \(UInt64.random(in: 0 ... .max))"), options: options(0))
    var known: [FileIdent: Int64] = [:]
    for process in 0..<40 {
      let history = try ServerHistory(file, random: &random, incarnation: process == 20 ? nil : Int64(process + 1))
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let given = try history.allocateClientFile(random: &random)
        #expect(known[given.ident] == nil)
        known[given.ident] = given.salt
      }
      for (ident, salt) in known { #expect(try history.clientFile(ident)?.salt == salt) }
    }
    let history = try ServerHistory(file, random: &random, incarnation: 99)
    for ident in known.keys where known[FileIdent(ident.rawValue + 1)] == nil {
      #expect(try history.clientFile(FileIdent(ident.rawValue + 1)) == nil)
    }
    let expired = try history.expireClientFiles(notSeenSince: OriginTimestamp(.max))
    #expect(expired.isEmpty || Set(expired) == Set(known.keys))
  }
}
