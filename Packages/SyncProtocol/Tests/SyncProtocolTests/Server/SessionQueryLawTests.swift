import ChangesetOT
import SyncProtocol
import TestKit
import Testing

/// Random clients of flexible sync against the server machine, whose owner answers in any order that it may.
struct SessionQueryLawTests {
  @Test("uploads and queries take effect in their order; bootstraps are whole; MARK comes after all that it follows")
  func order() throws {
    for seed in UInt64(1)...400 {
      var run = QueryRun(seed: seed)
      for _ in 0..<120 { run.step() }
      run.settle()
      try #require(run.faults.isEmpty, "seed \(seed): \(run.faults)")
      #expect(run.isDone, "seed \(seed): something is left waiting")
    }
  }
}

/// One random conversation with what must hold of it.
private struct QueryRun {
  /// A message of the client whose order counts.
  private enum Sent: Equatable {
    case upload(UInt64)
    case query(UInt64)
  }

  private var machine = ServerConnection(dialect: Dialect(.flexible))
  private var random: SeededGenerator
  private var sent: [Sent] = []
  private var owedScan: DownloadScanRequest?
  private var owedUploads: [UploadBatch] = []
  private var clientVersion: UInt64 = 1
  private var queryVersion: UInt64 = 1
  private var current: UInt64 = 3
  private var uploaded: UInt64 = 0
  private var lastMark: UInt64 = 0
  /// For each MARK the newest query before it.
  private var queryBeforeMark: [UInt64] = [0]
  private var answeredMark: UInt64 = 0
  private var batchesLeft = 0
  private var begun: Set<UInt64> = []
  private var refused: Set<UInt64> = []
  private var held: UInt64 = 1
  private var openBootstrap: UInt64?
  private(set) var faults: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    _ = machine.start()
    receive("bind 1 0 0 0 0\n")
    perform(machine.handle(.realmOpened(.first)))
    receive("ident 1 2 77 3 0 3 9 1 2\n{}")
    perform(machine.handle(.clientFileFound(.first, ClientFileRecord(salt: 77), ServerDialogue.state(3))))
  }

  var isDone: Bool { answeredMark == lastMark && owedScan == nil && owedUploads.isEmpty }

  mutating func step() {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1:
      clientVersion += 1
      sent.append(.upload(clientVersion))
      receive("upload 1 0 13 0 \(clientVersion) 0 0\n".withEntry(clientVersion))
    case 2:
      queryVersion += 1
      sent.append(.query(queryVersion))
      receive("query 1 \(queryVersion) 2\n{}")
    case 3:
      lastMark += 1
      queryBeforeMark.append(queryVersion)
      receive("mark 1 \(lastMark)\n")
    case 4:
      current += 1
      perform(machine.handle(.historyAdvanced(.first)))
    case 5: perform(machine.handle(random.oneIn(2) ? .congested : .drained))
    case 6...7: answerUpload()
    default: answerScan()
    }
  }

  mutating func settle() {
    perform(machine.handle(.drained))
    for _ in 0..<2_000 where owedScan != nil || !owedUploads.isEmpty {
      answerUpload()
      answerScan()
    }
  }

  private mutating func receive(_ text: String) { perform(machine.receive(Array(text.utf8))) }

  private mutating func answerUpload() {
    guard !owedUploads.isEmpty else { return }
    let batch = owedUploads.removeFirst()
    current += 1
    uploaded = max(uploaded, batch.progress.client.rawValue)
    perform(machine.handle(.uploadIntegrated(.first, bytes: batch.weight)))
  }

  private mutating func answerScan() {
    guard let request = owedScan, let view = request.view else { return }
    owedScan = nil
    let wanted = view.wanted.version.rawValue
    if view.isBootstrap, random.oneIn(5) {
      batchesLeft = 0
      return perform(machine.handle(.queryRefused(.first, view.wanted.version, message: "no")))
    }
    let upload = UploadCursor(client: ClientVersion(uploaded), server: .zero)
    var scan = ServerDialogue.scan(current, 0, upload: upload, entries: random.oneIn(2) ? [current] : [])
    if view.isBootstrap, batchesLeft == 0, random.oneIn(5) {
      scan.batch = DownloadBatch(query: view.held.version, state: .steady)
    } else if view.isBootstrap {
      if batchesLeft == 0 { batchesLeft = Int.random(in: 1...3, using: &random) }
      batchesLeft -= 1
      scan.batch = DownloadBatch(query: QueryVersion(wanted), state: batchesLeft == 0 ? .last : .moreToCome)
      scan.reachedEnd = batchesLeft == 0
    } else {
      scan.batch = DownloadBatch(query: QueryVersion(wanted), state: .steady)
    }
    perform(machine.handle(.historyScanned(.first, scan)))
  }

  private mutating func perform(_ actions: [ServerConnection.Action]) {
    for action in actions {
      switch action {
      case .integrate(_, let batch): integrated(batch)
      case .scanHistory(_, let request): scanned(request)
      case .send(.download(let download)): downloaded(download)
      case .send(.queryError(let error)):
        refused.insert(error.query.rawValue)
        openBootstrap = nil
      case .send(.mark(let mark)): marked(mark.request.rawValue)
      case .send(.jsonError(let error)): faults.append("\(error)")
      default: break
      }
    }
  }

  private mutating func integrated(_ batch: UploadBatch) {
    owedUploads.append(batch)
    for entry in batch.entries {
      let version = entry.cursor.client.rawValue
      guard let place = sent.firstIndex(of: .upload(version)) else { continue }
      let before = sent[..<place]
      if before.contains(where: { if case .upload = $0 { true } else { false } }) {
        faults.append("upload \(version) overtakes another one")
      }
      let queries = before.compactMap { if case .query(let query) = $0 { query } else { nil } }
      if let last = queries.last, !begun.contains(last), !refused.contains(last) {
        faults.append("upload \(version) overtakes query \(last)")
      }
      let expected = queries.last { begun.contains($0) && !refused.contains($0) } ?? 1
      if expected != batch.queries?.version.rawValue {
        faults.append("upload \(version) under \(batch.queries?.version.rawValue ?? 0), not \(expected)")
      }
      sent.remove(at: place)
    }
  }

  private mutating func scanned(_ request: DownloadScanRequest) {
    if owedScan != nil { faults.append("two scans at a time") }
    owedScan = request
    guard let view = request.view, view.isBootstrap, begun.insert(view.wanted.version.rawValue).inserted else { return }
    if !owedUploads.isEmpty { faults.append("a bootstrap begins while an upload is integrated") }
    let wanted = view.wanted.version.rawValue
    guard let place = sent.firstIndex(of: .query(wanted)) else { return }
    if sent[..<place].contains(where: { if case .upload = $0 { true } else { false } }) {
      faults.append("query \(wanted) overtakes an upload")
    }
  }

  private mutating func downloaded(_ download: DownloadMessage) {
    guard let batch = download.batch else { return faults.append("no batch") }
    let query = batch.query.rawValue
    switch batch.state {
    case .steady:
      if openBootstrap != nil { faults.append("a steady message within a bootstrap") }
      if query != held { faults.append("steady in \(query), the client holds \(held)") }
    case .moreToCome:
      if let openBootstrap, openBootstrap != query { faults.append("two bootstraps at a time") }
      if download.entries.isEmpty { faults.append("a batch without entries") }
      openBootstrap = query
    case .last:
      if download.entries.isEmpty, openBootstrap == nil { faults.append("a bootstrap without entries") }
      if query <= held { faults.append("the set \(query) comes after \(held)") }
      openBootstrap = nil
      held = query
    }
  }

  private mutating func marked(_ mark: UInt64) {
    if mark <= answeredMark { faults.append("MARK \(mark) is answered again") }
    answeredMark = mark
    let query = queryBeforeMark[Int(mark)]
    let isSettled = held >= query || refused.contains(query)
    if !isSettled { faults.append("MARK \(mark) is answered before the bootstrap of \(query)") }
  }
}

extension String {
  /// The head of an UPLOAD of one changeset with its body.
  fileprivate func withEntry(_ version: UInt64) -> String {
    let entry = "\(version) 0 5 0 3 abc"
    return replacing("upload 1 0 13", with: "upload 1 0 \(entry.utf8.count)") + entry
  }
}
