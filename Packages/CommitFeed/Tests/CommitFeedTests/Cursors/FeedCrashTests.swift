import ChangesetOT
import CommitFeed
import DataModel
import Foundation
import Synchronization
import TestKit
import Testing

@testable import RecordStore

/// The effect of a consumer and its position, when the process stops in between.
@Suite("crashes of feed consumers") struct FeedCrashTests {
  private struct Crash: Error {}

  /// A place at which a consumer stops.
  enum Stop: CaseIterable {
    case beforeThePosition, afterThePosition, inTheCommit, never
  }

  @Test("the effect in the realm and the position are durable together, or neither", arguments: Stop.allCases)
  func oneTransaction(stop: Stop) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("crash-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("a.realm").path
    try consume(path, stop)
    // Another process finds what the first one left.
    var random = SeededGenerator(seed: 2)
    let history = try ServerHistory(try RealmFile.open(.file(path: path)), random: &random, isNew: false)
    var reader = try CommitFeed(of: "/r", history).reader("r")
    let isDone = try history.file.contents().object(Tasks.task(1))?["done"] == .value(.bool(true))
    #expect(isDone == (stop == .never))
    let next = try reader.next()?.commits.map(\.version.rawValue)
    #expect(next == (isDone ? [2] : [1]), "the effect is a commit, too; without it the first is delivered again")
  }

  private func consume(_ path: String, _ stop: Stop) throws {
    let failing = Failing()
    var options = RealmFile.Options()
    options.beforeCommit = { if failing.isArmed.load(ordering: .relaxed) { throw Crash() } }
    var random = SeededGenerator(seed: 1)
    let file = try RealmFile.open(.file(path: path), options: options)
    let history = try ServerHistory(file, random: &random)
    var reader = try CommitFeed(of: "/r", history).reader("r")
    try history.write(1, owner: "ann")
    let commit = try #require(try reader.next()?.commits.first)
    do {
      try file.edit { editor in
        try editor.set(["done": .value(.bool(true))], of: Tasks.task(1))
        if stop == .beforeThePosition { throw Crash() }
        try reader.advance(to: commit.position, in: editor)
        if stop == .afterThePosition { throw Crash() }
        failing.isArmed.store(stop == .inTheCommit, ordering: .relaxed)
      }
    } catch is Crash {}
  }

  /// Fails commits once it is armed.
  private final class Failing: Sendable {
    let isArmed = Atomic<Bool>(false)
  }
}
