import ChangesetOT
import ChangesetOTTestSupport
import SyncProtocol
import TestKit
import Testing
import Transport

/// A device with a realm of its own: edits, uploads, merges what it downloads, and comes back after every loss.
///
/// Written from the specification with plain values, so that the server is not judged by the client package.
// @unchecked Sendable: touched on the simulated loop, and by the test while the loop rests.
final class Device: WebSocketHandler, @unchecked Sendable {
  struct Commit {
    var version: UInt64
    var base: ServerVersion
    var timestamp: OriginTimestamp
    var original: Changeset
    var reciprocal: Changeset
  }

  let name: String
  private(set) var state = ModelState()
  private(set) var failures: [String] = []
  private(set) var commits: [Commit] = []
  private(set) var commitCount = 0
  private let path: String
  private var generator: EditGenerator
  private var random: TestKit.SeededGenerator
  private var file: SaltedFileIdent?
  private var version: UInt64 = 1
  private var progress = SyncProgress()
  private var sentVersion: UInt64 = 0
  private var socket: (any WebSocketConnection)?
  private var isIdentified = false
  private var nextSession: UInt64 = 1
  private var session = SessionIdent(1)
  private var clock: UInt64
  private var retries = 0

  init(name: String, number: UInt64, path: String, seed: UInt64, clock: UInt64 = 1_000) throws {
    self.clock = clock
    self.name = name
    self.path = path
    random = TestKit.SeededGenerator(seed: seed &* 1_000 &+ number)
    generator = EditGenerator(seed: seed, author: FileIdent(number + 100))
    try record(Self.founding) { state in try state.apply(Self.founding.map { $0 }) }
  }

  var isConnected: Bool { socket != nil }
  var isSettled: Bool { commits.isEmpty || commits.allSatisfy { $0.version <= progress.upload.client.rawValue } }
  var ident: FileIdent { file?.ident ?? .none }

  // MARK: Editing

  func edit(_ count: Int) throws {
    var instructions: [Instruction] = []
    try record { state in
      instructions = try generator.transaction(on: &state, edits: count)
      return instructions
    }
    upload()
  }

  private func record(_ instructions: [Instruction], _ apply: (inout ModelState) throws -> Void) throws {
    try record { state in
      try apply(&state)
      return instructions
    }
  }

  private func record(_ work: (inout ModelState) throws -> [Instruction]) throws {
    let instructions = try work(&state)
    guard !instructions.isEmpty else { return }
    version += 1
    commitCount += 1
    clock += UInt64.random(in: 0...3, using: &random)
    let time = OriginTimestamp(clock)
    let changeset = Changeset(instructions: instructions, origin: ChangesetOrigin(timestamp: time, file: ident))
    commits.append(
      Commit(
        version: version, base: progress.download.server, timestamp: time, original: changeset, reciprocal: changeset))
  }

  // MARK: The wire

  func connect(_ stage: Stage, token: String, to server: String = "server") throws {
    guard socket == nil else { return }
    isIdentified = false
    let url = try NetworkURL("ws://\(server):9080/realm-sync?baas_at=\(token)")
    socket = stage.network.host(name).connectWebSocket(
      to: WebSocketEndpoint(url: url, protocolTokens: SubprotocolOffer.tokens(for: .full)),
      options: WebSocketOptions(), handler: self)
  }

  func disconnect() { socket?.abort() }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) { bind() }

  private func bind() {
    session = SessionIdent(nextSession)
    nextSession += 1
    isIdentified = false
    send(.bind(BindMessage(session: session, path: path, needsFileIdent: file == nil)))
    if file != nil { identify() }
  }

  private func identify() {
    guard let file else { return }
    send(
      .ident(
        ClientIdentMessage(
          session: session, file: file, download: progress.download, latestServerVersion: progress.latestServerVersion))
    )
    isIdentified = true
    sentVersion = progress.upload.client.rawValue
    upload()
  }

  private func send(_ message: ClientMessage) { socket?.send(binary: message.encoded(for: Dialect())) }

  private func upload() {
    guard isIdentified, socket != nil else { return }
    let fresh = commits.filter { $0.version > sentVersion }
    guard !fresh.isEmpty else { return }
    let integrated = progress.download.server
    send(
      .upload(
        UploadMessage(
          session: session, progress: UploadCursor(client: ClientVersion(version), server: integrated),
          lockedServerVersion: integrated,
          entries: fresh.map { commit in
            UploadEntry(
              cursor: UploadCursor(client: ClientVersion(commit.version), server: commit.base),
              timestamp: commit.timestamp, changeset: commit.original.encoded())
          })))
    sentVersion = version
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    socket = nil
    isIdentified = false
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .binary(let bytes) = message else { return }
    do {
      switch try MessageDecoder(dialect: Dialect()).serverMessage(bytes) {
      case .ident(let message):
        file = message.file
        version += 1
        for index in commits.indices { adopt(&commits[index]) }
        identify()
      case .download(let message) where message.session == session: try integrate(message)
      case .jsonError(let error):
        if error.details.tryAgain, retries < 100 {
          retries += 1
          send(.unbind(UnbindMessage(session: session)))
          bind()
        } else {
          failures.append("\(error.code): \(error.details.message)")
        }
      default: break
      }
    } catch {
      failures.append("\(name): \(error)")
    }
  }

  private func adopt(_ commit: inout Commit) {
    commit.original.origin.file = ident
    commit.reciprocal.origin.file = ident
  }

  private func integrate(_ message: DownloadMessage) throws {
    var start = 0
    while start < message.entries.count {
      let base = message.entries[start].cursor.client
      let end = message.entries[start...].firstIndex { $0.cursor.client != base } ?? message.entries.count
      try integrate(message.entries[start..<end], base: base)
      start = end
    }
    progress = message.progress
    retries = 0
    version += 1
    commits.removeAll { $0.version <= progress.download.client.rawValue }
  }

  private func integrate(_ entries: ArraySlice<DownloadEntry>, base: ClientVersion) throws {
    let window = commits.indices.filter { commits[$0].version > base.rawValue }
    var local = window.map { commits[$0].reciprocal }
    var incoming = try entries.map { entry in
      try Changeset(
        decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin))
    }
    try Transformer().transform(local: &local, incoming: &incoming)
    try state.apply(incoming)
    for (index, place) in window.enumerated() { commits[place].reciprocal = local[index] }
  }

  /// The schema of the random edits, as every device declares it at first.
  static let founding: [Instruction] = {
    let sample = ModelState.sample()
    var instructions: [Instruction] = []
    for (table, shape) in sample.classes.sorted(by: { $0.key < $1.key }) {
      instructions.append(.addTable(AddTable(table: table, kind: shape.kind, primaryKey: shape.key)))
    }
    for (table, shape) in sample.classes.sorted(by: { $0.key < $1.key }) {
      for (field, column) in shape.columns.sorted(by: { $0.key < $1.key }) where field != shape.key?.field {
        instructions.append(
          .addColumn(
            AddColumn(
              table: table, field: field, type: column.type, isNullable: column.isNullable,
              collection: column.collection, linkTarget: column.linkTarget)))
      }
    }
    return instructions
  }()
}

extension ModelState {
  mutating func apply(_ instructions: [Instruction]) throws {
    for instruction in instructions { try apply(instruction) }
  }
}
