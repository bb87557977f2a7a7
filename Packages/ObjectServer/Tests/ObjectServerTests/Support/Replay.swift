import ChangesetOT
import Foundation
@testable import ObjectServer
import ObjectServerTestSupport
import ServerClusterTestSupport
import SyncProtocol
import TestKit
import Testing
import Transport

/// Plays the clients' half of a recording to our server, with its salts in place of the recorded ones.
final class Replay {
  private(set) var stage: Stage
  private let recording: Recording
  private let token: String
  private var clients: [Int: WireClient] = [:]
  /// Everything each connection heard.
  private var heard: [Int: [ServerMessage]] = [:]
  private var recordedErrors: [Int: [Int]] = [:]
  private var salts: [Int64: Int64] = [0: 0]
  private let folder: String

  private let isJournal: Bool

  init(_ recording: Recording, folder: String, isJournal: Bool) throws {
    self.recording = recording
    self.folder = folder
    self.isJournal = isJournal
    stage = try Self.makeStage(folder, seed: 5, isJournal: isJournal)
    token = try stage.user("alice", isAdministrator: true).token
  }

  private static func makeStage(_ folder: String, seed: UInt64, isJournal: Bool) throws -> Stage {
    let random = RandomSource(TestKit.SeededGenerator(seed: seed))
    return try Stage(
      histories: isJournal
        ? JournalHistories(random: random)
        : TestStorage.histories(.folder(folder), random: random, isDurable: false))
  }

  func run() throws {
    for (number, message) in recording.messages.enumerated() { try play(message, number) }
    for conn in clients.keys { listen(conn) }
    stage.run(.seconds(1))
  }

  private func play(_ message: RecordedMessage, _ number: Int) throws {
    switch (message.from, message.kind) {
    case ("client", "http") where message.text?.contains("Upgrade: websocket") ?? false:
      if recording.scenario.contains("wrong-salt"), message.conn == 3 { try wipe() }
      clients[message.conn] = try stage.connect(
        token, offers: ["com.mongodb.realm-sync#\(recording.protocol)"], from: "client\(message.conn)")
    case ("client", "binary"): try send(message)
    case ("client", "eof"):
      clients[message.conn]?.connection?.abort()
      stage.run()
    case ("server", "binary"): try compare(message)
    case ("server", "eof"):
      // Before the client's own end it means that the server went away.
      let isOver = recording.messages[..<number].contains {
        $0.conn == message.conn && $0.from == "client" && $0.kind == "eof"
      }
      if !isOver, errors(message.conn).isEmpty { stage.crashAndRestart() }
    default: break
    }
  }

  /// The second server of the scenario starts with nothing.
  private func wipe() throws {
    stage.crashAndRestart()
    stage = try Self.makeStage(folder + "/second", seed: 6, isJournal: isJournal)
    _ = try stage.user("alice", isAdministrator: true)
  }

  private func send(_ message: RecordedMessage) throws {
    let dialect = Dialect(.full, ProtocolVersion(recording.protocol))
    var decoded = try MessageDecoder(dialect: dialect).clientMessage(message.bytes)
    if case .ident(var ident) = decoded {
      ident.file.salt = salts[ident.file.salt] ?? ident.file.salt
      ident.latestServerVersion.salt = salts[ident.latestServerVersion.salt] ?? ident.latestServerVersion.salt
      decoded = .ident(ident)
      clients[message.conn]?.send(decoded)
    } else {
      clients[message.conn]?.connection?.send(binary: message.bytes)
    }
    stage.run()
    listen(message.conn)
  }

  private func listen(_ conn: Int) { heard[conn, default: []] += clients[conn]?.take() ?? [] }

  /// Learns which of our salts stands for a recorded one; idents and versions must be equal.
  private func compare(_ message: RecordedMessage) throws {
    let dialect = Dialect(.full, ProtocolVersion(recording.protocol))
    let recorded = try MessageDecoder(dialect: dialect).serverMessage(message.bytes)
    stage.run()
    listen(message.conn)
    switch recorded {
    case .ident(let ident):
      let ours = try #require(heard[message.conn]?.compactMap(\.file).last, "an ident for connection \(message.conn)")
      #expect(ours.ident == ident.file.ident)
      salts[ident.file.salt] = ours.salt
    case .download(let download):
      let latest = download.progress.latestServerVersion
      let ours = heard[message.conn]?.compactMap(\.download).map(\.progress.latestServerVersion) ?? []
      if let match = ours.first(where: { $0.version == latest.version }) { salts[latest.salt] = match.salt }
    case .error(let error): recordedErrors[message.conn, default: []].append(error.code.rawValue)
    case .jsonError(let error): recordedErrors[message.conn, default: []].append(error.code.rawValue)
    default: break
    }
  }

  private func errors(_ conn: Int) -> [Int] { heard[conn]?.compactMap(\.failureCode) ?? [] }

  /// For each connection: the codes of errors, recorded and ours.
  var errorCodes: [Int: (recorded: [Int], ours: [Int])] {
    Dictionary(uniqueKeysWithValues: clients.keys.map { ($0, (recordedErrors[$0] ?? [], errors($0))) })
  }

  /// The furthest cursors of each connection: recorded and ours.
  func cursors() throws -> [Int: (recorded: SyncProgress, ours: SyncProgress)] {
    let dialect = Dialect(.full, ProtocolVersion(recording.protocol))
    var result: [Int: (SyncProgress, SyncProgress)] = [:]
    for message in recording.messages where message.from == "server" && message.kind == "binary" {
      guard case .download(var download) = try MessageDecoder(dialect: dialect).serverMessage(message.bytes),
        var ours = heard[message.conn]?.compactMap(\.download).last?.progress
      else { continue }
      download.progress.latestServerVersion.salt = 0
      ours.latestServerVersion.salt = 0
      result[message.conn] = (download.progress, ours)
    }
    return result
  }

  /// The bytes that connection `conn` was sent, by server version: recorded and ours.
  func changesets() throws -> (recorded: [String: [UInt8]], ours: [String: [UInt8]]) {
    let dialect = Dialect(.full, ProtocolVersion(recording.protocol))
    var recorded: [String: [UInt8]] = [:], ours: [String: [UInt8]] = [:]
    for message in recording.messages where message.from == "server" && message.kind == "binary" {
      guard case .download(let download) = try MessageDecoder(dialect: dialect).serverMessage(message.bytes) else {
        continue
      }
      for entry in download.entries {
        recorded["\(message.conn)/\(entry.cursor.server.rawValue)"] = Array(entry.changeset)
      }
    }
    for (conn, messages) in heard {
      for entry in messages.compactMap(\.download).flatMap(\.entries) {
        ours["\(conn)/\(entry.cursor.server.rawValue)"] = Array(entry.changeset)
      }
    }
    return (recorded, ours)
  }
}
