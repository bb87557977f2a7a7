import ChangesetOT

/// The scans of a session with queries, and what their answers change.
extension SessionQueries {
  /// The queries of the next scan.
  var view: ViewRequest { ViewRequest(held: held, wanted: governing) }

  /// Records that a scan begins.
  mutating func beginScan() {
    if case .due(let candidate) = stage { stage = .begun(candidate) }
  }

  /// The place of a scan's answer among the messages to the client.
  struct Placement: Hashable, Sendable {
    var batch: DownloadBatch
    /// The part of the bootstrap that is sent with this answer, 0 … 1.
    var fraction: Double
    /// Whether an answer of a bootstrap is sent: batches without entries are not, but for the last.
    var isSent = true
    /// Whether the answer needs an entry of its own: stock clients do not end a bootstrap in which none arrived.
    var needsEntry = false

    /// Whether the answer belongs to a bootstrap.
    var isBootstrap: Bool { batch.state != .steady }
  }

  /// Takes the answer to a scan.
  ///
  /// - Parameter cursor: the position at which the scan began.
  mutating func scanned(_ scan: DownloadScan, from cursor: DownloadCursor) -> Placement {
    switch scan.batch?.state {
    case .moreToCome?: return batch(of: scan, from: cursor)
    // An entry of version 0 is illegal, so nothing at version 0 can be the end of a bootstrap.
    case .last? where scan.progress.download.server > .zero: return last(of: scan, from: cursor)
    case .steady? where scan.batch?.query != governing.version:
      // The client is told of undone writes before the bootstrap, which begins with a scan to come.
      if case .begun(let candidate) = stage { stage = .due(candidate) }
      return Placement(batch: DownloadBatch(query: held.version, state: .steady), fraction: 1)
    case nil, .steady?, .last?:
      held = governing
      stage = .steady
      return Placement(batch: DownloadBatch(query: held.version, state: .steady), fraction: 1)
    }
  }

  private mutating func batch(of scan: DownloadScan, from cursor: DownloadCursor) -> Placement {
    var bootstrap = bootstrap(from: cursor)
    let bytes = scan.entries.reduce(0) { $0 + $1.changeset.count }
    bootstrap.sentBytes += bytes
    bootstrap.hasEntries = bootstrap.hasEntries || !scan.entries.isEmpty
    stage = .running(bootstrap)
    let whole = Double(bootstrap.sentBytes) + Double(max(0, scan.remainingBytes))
    let fraction = whole > 0 ? Double(bootstrap.sentBytes) / whole : 0
    // Thousandths: longer numbers may take a form with an exponent.
    return Placement(
      batch: DownloadBatch(query: bootstrap.candidate.query.version, state: .moreToCome),
      fraction: min(0.999, (fraction * 1_000).rounded(.down) / 1_000), isSent: !scan.entries.isEmpty)
  }

  private mutating func last(of scan: DownloadScan, from cursor: DownloadCursor) -> Placement {
    let bootstrap = bootstrap(from: cursor)
    held = bootstrap.candidate.query
    stage = .steady
    return Placement(
      batch: DownloadBatch(query: held.version, state: .last), fraction: 1,
      needsEntry: scan.entries.isEmpty && !bootstrap.hasEntries)
  }

  private func bootstrap(from cursor: DownloadCursor) -> Bootstrap {
    switch stage {
    case .running(let bootstrap): bootstrap
    case .due(let candidate), .begun(let candidate): Bootstrap(candidate: candidate, start: cursor)
    case .steady: Bootstrap(candidate: Candidate(query: held), start: cursor)
    }
  }

  /// The outcome of a refusal.
  enum Refusal: Hashable, Sendable {
    /// The set is given up; the client goes on with the one it holds, from the cursor if a part of the bootstrap was sent.
    /// Sets that were passed over wait again, with this weight.
    case set(resumingAt: DownloadCursor?, requeued: Int)
    /// The client holds objects of a set that cannot be served.
    case session
    /// The set is not the one that is being served.
    case stale
  }

  /// Takes the answer that a set cannot be served.
  mutating func refused(_ version: QueryVersion) -> Refusal {
    switch stage {
    case .begun(let candidate) where candidate.query.version == version && version != held.version:
      return .set(resumingAt: nil, requeued: giveUp(candidate))
    case .running(let bootstrap) where bootstrap.candidate.query.version == version && version != held.version:
      return .set(resumingAt: bootstrap.start, requeued: giveUp(bootstrap.candidate))
    case .due, .begun, .running, .steady: return version == held.version ? .session : .stale
    }
  }

  private mutating func giveUp(_ candidate: Candidate) -> Int {
    stage = .steady
    guard let next = candidate.next else { return 0 }
    waiting.insert(.query(next), at: 0)
    return Step.query(next).weight
  }
}
