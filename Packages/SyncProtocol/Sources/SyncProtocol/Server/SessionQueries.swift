import ChangesetOT

/// The subscription sets of one session of flexible sync: the set that the client's file holds, the set that it is being
/// brought to, and the messages that wait behind the next one. A pure value.
///
/// Guarantees: sets take effect in the order of their arrival, each after the uploads before it are integrated and before
/// the uploads behind it are. A set that another one follows before its turn is passed over, unless something was
/// uploaded under it, or the other one is refused. An interrupted bootstrap leaves the set and the cursor that were
/// there before.
struct SessionQueries: Hashable, Sendable {
  /// The way from one set to the next.
  enum Stage: Hashable, Sendable {
    /// The client is sent the changes within the set that it holds.
    case steady
    /// The next scan begins the bootstrap of the set.
    case due(Candidate)
    /// The first scan of the set's bootstrap is under way, which may refuse it.
    case begun(Candidate)
    /// Batches of a bootstrap were scanned, but not the last one.
    case running(Bootstrap)
  }

  /// A set whose turn comes.
  struct Candidate: Hashable, Sendable {
    var query: QuerySet
    /// The sets that are passed over for it, in their order; the last one has its turn if it is refused.
    var passedOver: [QuerySet] = []

    /// The candidate after this one is refused.
    var next: Candidate? {
      guard let query = passedOver.last else { return nil }
      return Candidate(query: query, passedOver: passedOver.dropLast())
    }
  }

  /// A bootstrap under way.
  struct Bootstrap: Hashable, Sendable {
    let candidate: Candidate
    /// The cursor of the client, which stays there until the last batch.
    let start: DownloadCursor
    var sentBytes = 0
    var hasEntries = false
  }

  /// A message that takes effect in its turn.
  enum Step: Hashable, Sendable {
    case query(Candidate)
    /// A verified UPLOAD, and the client version that a DOWNLOAD must acknowledge.
    case upload(UploadBatch, acknowledging: ClientVersion?)

    /// The weight of the step in the backlog, in bytes.
    var weight: Int {
      switch self {
      case .query(let candidate): candidate.passedOver.reduce(candidate.query.weight) { $0 + $1.weight }
      case .upload(let batch, acknowledging: _): batch.weight
      }
    }
  }

  /// The outcome of a QUERY.
  enum Receipt: Hashable, Sendable {
    /// It waits for its turn.
    case waits
    /// It is the set that the client has or is getting.
    case known
    /// Its number is below that of an earlier one.
    case outdated
  }

  /// The set whose objects the client's file holds.
  var held: QuerySet
  var stage: Stage
  /// The messages that wait: a query and all that follows it, or uploads behind a query that is due.
  var waiting: [Step] = []
  private var newest: QuerySet

  /// The queries of a client whose IDENT names `held`. The first scan tells whether that can be served.
  init(held: QuerySet) {
    self.held = held
    stage = .due(Candidate(query: held))
    newest = held
  }

  /// The set under which uploads are integrated now: the newest that took effect.
  var governing: QuerySet {
    switch stage {
    case .steady: held
    case .due(let candidate), .begun(let candidate): candidate.query
    case .running(let bootstrap): bootstrap.candidate.query
    }
  }

  /// The bytes of the sets that are not counted as waiting.
  var heldBytes: Int { held.json.utf8.count + (governing == held ? 0 : governing.json.utf8.count) }

  /// Whether a scan that begins now brings the client everything that MARK asks for.
  var isSettled: Bool { governing == held && waiting.isEmpty }

  /// Whether the next scan goes on with a bootstrap of this session.
  var continuesBootstrap: Bool {
    switch stage {
    case .running: true
    case .steady, .due, .begun: false
    }
  }

  /// Whether the next scan begins a bootstrap, or finds out what must come before it.
  var isDue: Bool {
    switch stage {
    case .due: true
    case .steady, .begun, .running: false
    }
  }

  /// Whether uploads that arrive now must wait.
  var holdsUploads: Bool {
    switch stage {
    case .due, .begun: true
    case .steady, .running: !waiting.isEmpty
    }
  }

  /// Takes a QUERY.
  mutating func receive(_ query: QuerySet) -> Receipt {
    if query == newest { return .known }
    guard query.version > newest.version else { return .outdated }
    newest = query
    var candidate = Candidate(query: query)
    if case .query(let former)? = waiting.last {
      waiting.removeLast()
      candidate.passedOver = former.passedOver + [former.query]
    }
    waiting.append(.query(candidate))
    return .waits
  }

  /// Takes a verified UPLOAD while ``holdsUploads``.
  ///
  /// - Returns: the weight of an UPLOAD without changesets that this one replaces.
  mutating func receive(_ batch: UploadBatch, acknowledging version: ClientVersion?) -> Int {
    var replaced = 0
    if version == nil, case .upload(let former, acknowledging: nil)? = waiting.last {
      replaced = former.weight
      waiting.removeLast()
    }
    waiting.append(.upload(batch, acknowledging: version))
    return replaced
  }

  /// Takes the next message whose turn has come. A query becomes due by that.
  ///
  /// - Parameter isBusy: whether an upload is being integrated or a scan is under way; queries wait for both.
  /// - Complexity: O(waiting messages).
  mutating func next(isBusy: Bool) -> Step? {
    switch (waiting.first, stage) {
    case (nil, _), (_, .due), (_, .begun), (.query?, .running): return nil
    case (.query(let candidate)?, .steady):
      guard !isBusy else { return nil }
      stage = .due(candidate)
    case (.upload?, .steady), (.upload?, .running): break
    }
    return waiting.removeFirst()
  }
}

extension QuerySet {
  /// The bytes that the set counts in budgets: its own, and some for itself.
  var weight: Int { json.utf8.count + 64 }
}
