public import ChangesetOT

/// The server of a ``ModelNetwork``: one history for all, and the reciprocal forms for each client.
public struct ModelServer: Sendable {
  /// One entry of the total order.
  public struct Entry: Sendable {
    /// The changeset in the form that was applied: transformed against everything before it.
    public var changeset: Changeset
    /// The author.
    public var author: FileIdent
    /// The client version of the author.
    public var authorVersion: ClientVersion
  }

  /// The record of one client.
  struct Peer: Sendable {
    var integrated = ClientVersion.zero
    /// Reciprocal forms: entries transformed against the client's own changesets, where they differ.
    var reciprocal: [Int: Changeset] = [:]
  }

  /// The present state.
  public private(set) var state: ModelState
  /// Entry *n* makes server version *n* + 1.
  public private(set) var history: [Entry] = []
  private var peers: [FileIdent: Peer] = [:]
  let transformer: Transformer

  /// A server with this state and an empty history.
  public init(state: ModelState, transformer: Transformer = Transformer()) {
    self.state = state
    self.transformer = transformer
  }

  /// Integrates the changesets of a client, in groups of one base; a failure leaves the server unchanged.
  mutating func integrate(_ entries: [ModelUpload], from author: FileIdent) throws {
    let before = self
    do {
      for group in entries.groups(by: \.base) { try integrate(group: group, from: author) }
    } catch {
      self = before
      throw error
    }
  }

  private mutating func integrate(group: ArraySlice<ModelUpload>, from author: FileIdent) throws {
    var peer = peers[author] ?? Peer()
    guard let base = group.first?.base else { return }
    let window = history.indices.filter {
      $0 >= base && history[$0].author != author && !history[$0].changeset.isEmpty
    }
    peer.reciprocal = peer.reciprocal.filter { $0.key >= base }
    var local = window.map { peer.reciprocal[$0] ?? history[$0].changeset }
    var incoming = group.map(\.changeset)
    let changed = try transformer.transform(local: &local, incoming: &incoming)
    try state.apply(incoming)
    for (entry, changeset) in zip(group, incoming) {
      history.append(Entry(changeset: changeset, author: author, authorVersion: entry.version))
      peer.integrated = entry.version
    }
    for number in changed.local { peer.reciprocal[window[number]] = local[number] }
    peers[author] = peer
  }

  /// The entries after a version, without those of the reader, and the version that they lead to.
  func downloads(for reader: FileIdent, after version: Int) -> (entries: [ModelDownload], upTo: Int) {
    var entries: [ModelDownload] = []
    var integrated = ClientVersion.zero
    for (number, entry) in history.enumerated() {
      if entry.author == reader {
        integrated = entry.authorVersion
      } else if number >= version {
        entries.append(ModelDownload(changeset: entry.changeset, base: integrated))
      }
    }
    return (entries, history.count)
  }
}

/// A changeset on its way to the server, as its author made it.
struct ModelUpload: Sendable {
  var changeset: Changeset
  var version: ClientVersion
  /// The server version that the author had integrated.
  var base: Int
}

/// A changeset on its way to a client, as the server applied it.
struct ModelDownload: Sendable {
  var changeset: Changeset
  /// The receiver's version that the server had integrated before this entry.
  var base: ClientVersion
}

extension Array {
  /// Consecutive elements with an equal property.
  func groups<Property: Equatable>(by property: (Element) -> Property) -> [ArraySlice<Element>] {
    var groups: [ArraySlice<Element>] = []
    var start = startIndex
    for index in indices where index > start && property(self[index]) != property(self[start]) {
      groups.append(self[start..<index])
      start = index
    }
    if start < endIndex { groups.append(self[start...]) }
    return groups
  }
}
