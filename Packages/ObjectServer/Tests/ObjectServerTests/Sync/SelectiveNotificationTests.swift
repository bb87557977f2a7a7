import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import ServerClusterTestSupport
import SyncProtocol
import Telemetry
import TestKit
import Testing
import Transport

/// Clients with queries hear of what concerns them, and of nothing else.
@Suite("notifications of clients with queries")
final class SelectiveNotificationTests {
  private let folder = NSTemporaryDirectory() + "openrealm-selective-" + UUID().uuidString
  private let histories: ObservedHistories
  private let stage: Stage
  private let author: FlexibleClient
  private let young: FlexibleClient
  private let old: FlexibleClient

  init() throws {
    histories = try ObservedHistories(
      TestStorage.histories(.folder(folder), random: RandomSource(SeededGenerator(seed: 1)), isDurable: false))
    stage = try Stage(histories: histories) { $0.congestionBytes = 0 }
    let token = try stage.user("ann").token
    author = try FlexibleClient(stage, token, host: "author")
    try author.write(FlexiblePeople.schema)
    try author.subscribe(#"{"Person":"TRUEPREDICATE"}"#)
    young = try FlexibleClient(stage, token, host: "young")
    try young.subscribe(#"{"Person":"age < 10"}"#)
    old = try FlexibleClient(stage, token, host: "old")
    try old.subscribe(#"{"Person":"age >= 10"}"#)
    for client in [author, young, old] { try client.settle() }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The messages that a client hears of within a second.
  private func heard(_ client: FlexibleClient) throws -> Int {
    let bytes = client.wire.receivedBytes
    try client.settle()
    return client.wire.receivedBytes == bytes ? 0 : 1
  }

  @Test("a commit is told to those whose queries it concerns")
  func selection() throws {
    try author.write(FlexiblePeople.person(1, age: 5))
    #expect(try heard(old) == 0)
    try young.settle()
    #expect(young.keys("Person") == [.int(1)])
  }

  @Test("an object that moves from one query to another is told to both")
  func moves() throws {
    try author.write(FlexiblePeople.person(1, age: 5))
    try author.write([FlexiblePeople.setAge(1, 50)])
    try young.settle()
    try old.settle()
    #expect(young.keys("Person") == [])
    #expect(old.keys("Person") == [.int(1)])
  }

  @Test("MARK brings a client that was not told to the newest version at once")
  func mark() throws {
    try author.write(FlexiblePeople.person(1, age: 5))
    #expect(try heard(old) == 0)
    let before = old.progress.download.server
    try old.mark()
    #expect(old.progress.download.server > before)
    #expect(old.progress.download.server == author.progress.download.server)
  }

  @Test("a client that nothing concerns for long is brought to the newest version, once")
  func lagging() throws {
    try author.write(FlexiblePeople.person(1, age: 5))
    let before = old.progress.download.server
    stage.run(LaggingMembers.patience + LaggingMembers.pause * 3)
    #expect(old.wire.closure == nil)
    try old.settle()
    #expect(old.progress.download.server > before)
    let bytes = old.wire.receivedBytes
    stage.run(LaggingMembers.patience * 3)
    #expect(old.wire.receivedBytes == bytes, "there is nothing more to be told")
  }

  @Test("what is not for a client costs it no scan, and what is for one that does not read costs one")
  func scans() throws {
    let (youngFile, oldFile) = (try #require(young.file).ident, try #require(old.file).ident)
    young.wire.connection?.pauseReading()
    try author.write(FlexiblePeople.person(1, age: 1))
    let before = (young: histories.scans(for: youngFile), old: histories.scans(for: oldFile))
    for key in 2..<20 { try author.write(FlexiblePeople.person(Int64(key), age: 1)) }
    #expect(histories.scans(for: oldFile) == before.old)
    #expect(histories.scans(for: youngFile) <= before.young + 1)
    young.wire.connection?.resumeReading()
    try young.settle()
    #expect(young.keys("Person").count == 19)
  }

  @Test("a class that comes is told to everyone")
  func classes() throws {
    let cat = AddTable(table: "Cat", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))
    try author.write([.addTable(cat)])
    try old.settle()
    #expect(old.progress.download.server == author.progress.download.server)
    try old.subscribe(#"{"Person":"age >= 10","Cat":"TRUEPREDICATE"}"#)
    try author.subscribe(#"{"Person":"TRUEPREDICATE","Cat":"TRUEPREDICATE"}"#)
    try author.write([
      .createObject(CreateObject(object: ObjectReference(className: "Cat", key: .int(7))))
    ])
    try old.settle()
    #expect(old.keys("Cat") == [.int(7)])
  }

  @Test("an object that decides about permissions is told to everyone")
  func permissions() throws {
    try author.write([
      .addTable(AddTable(table: "__Role", primaryKey: PrimaryKeyColumn(field: "name", type: .string)))
    ])
    try author.subscribe(#"{"Person":"TRUEPREDICATE","__Role":"TRUEPREDICATE"}"#)
    for client in [young, old] { try client.settle() }
    let before = old.progress.download.server
    try author.write([
      .createObject(CreateObject(object: ObjectReference(className: "__Role", key: .string("readers"))))
    ])
    try old.settle()
    #expect(old.progress.download.server > before)
  }

  @Test("a client that goes away and comes back has what it missed, and is told of what follows")
  func returning() throws {
    try author.write(FlexiblePeople.person(1, age: 5))
    try young.settle()
    young.wire.connection?.abort()
    stage.run()
    try author.write(FlexiblePeople.person(2, age: 6) + FlexiblePeople.person(3, age: 60))
    try young.connect(host: "young")
    #expect(young.keys("Person") == [.int(1), .int(2)])
    try author.write(FlexiblePeople.person(4, age: 7))
    try young.settle()
    #expect(young.keys("Person") == [.int(1), .int(2), .int(4)])
  }

  @Test("clients whose realm was closed while it was idle are told of what follows")
  func reopened() throws {
    stage.run(stage.configuration.realmIdleTimeout * 3)
    try author.write(FlexiblePeople.person(1, age: 5))
    try young.settle()
    #expect(young.keys("Person") == [.int(1)])
    #expect(try heard(old) == 0, "what was watched before is watched again")
  }
}
