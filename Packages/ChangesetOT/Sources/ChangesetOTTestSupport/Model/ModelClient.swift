public import ChangesetOT

/// A client of a ``ModelNetwork``: its state, its history and the reciprocal forms of its unacknowledged changesets.
public struct ModelClient: Sendable {
  /// One local write transaction.
  struct Entry: Sendable {
    var original: Changeset
    /// The changeset transformed against everything integrated since.
    var reciprocal: Changeset
    var version: ClientVersion
    var base: Int
  }

  /// The file ident.
  public let ident: FileIdent
  /// The present state.
  public private(set) var state: ModelState
  private(set) var history: [Entry] = []
  private var sent = 0
  private var serverVersion = 0
  let transformer: Transformer

  /// A client in step with a server of this state.
  public init(ident: FileIdent, state: ModelState, transformer: Transformer = Transformer()) {
    self.ident = ident
    self.state = state
    self.transformer = transformer
  }

  /// Whether all local changesets are uploaded.
  public var isUploaded: Bool { sent == history.count }

  /// Applies a local write transaction and adds it to the history.
  ///
  /// - Throws: ``ModelError`` when an instruction cannot be applied.
  public mutating func commit(_ instructions: [Instruction], at time: OriginTimestamp) throws {
    let changeset = Changeset(
      instructions: instructions, origin: ChangesetOrigin(timestamp: time, file: ident))
    try state.apply(changeset)
    history.append(
      Entry(
        original: changeset, reciprocal: changeset, version: ClientVersion(UInt64(history.count) + 1),
        base: serverVersion))
  }

  /// Takes at most `limit` changesets that are not uploaded yet.
  mutating func uploads(limit: Int = .max) -> [ModelUpload] {
    let entries = history[sent...].prefix(limit)
    sent += entries.count
    return entries.map { ModelUpload(changeset: $0.original.throughBytes, version: $0.version, base: $0.base) }
  }

  /// Integrates entries of the server up to the server version `version`.
  mutating func integrate(_ entries: [ModelDownload], upTo version: Int) throws {
    for group in entries.groups(by: \.base) {
      guard let base = group.first?.base else { continue }
      let window = history.indices.filter { history[$0].version > base }
      var local = window.map { history[$0].reciprocal }
      var incoming = group.map(\.changeset.throughBytes)
      let changed = try transformer.transform(local: &local, incoming: &incoming)
      try state.apply(incoming)
      for number in changed.local { history[window[number]].reciprocal = local[number] }
    }
    serverVersion = version
  }

  var downloadedVersion: Int { serverVersion }
}

extension Changeset {
  /// The changeset encoded and decoded again, as over the wire.
  var throughBytes: Changeset {
    (try? Changeset(decoding: encoded(), origin: origin)) ?? Changeset(origin: origin)
  }
}
