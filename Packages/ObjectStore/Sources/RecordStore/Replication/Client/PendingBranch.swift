import ChangesetOT
import StorageEngine

/// The pending changesets that a download may conflict with, in their reciprocal forms, while the download is rebased over
/// them. In memory until ``store()``.
struct PendingBranch {
  private let transaction: WriteTransaction
  private var versions: [Int64] = []
  private var changesets: [Changeset] = []
  private var changed: Set<Int> = []

  /// The changesets at positions.
  init(_ near: [Int64], of ident: SaltedFileIdent, in transaction: WriteTransaction) throws {
    self.transaction = transaction
    guard let start = near.first, let end = near.last else { return }
    let log = try transaction.log(ClientLog.entries)
    let reciprocals = try transaction.log(ClientLog.reciprocals).entries(in: start...end)
    let forms = Dictionary(reciprocals.map { ($0.position, $0.content) }, uniquingKeysWith: { first, _ in first })
    var rest = near[...]
    for item in try log.entries(in: start...end) where item.position == rest.first {
      rest.removeFirst()
      let entry = try ClientLogEntry(decoding: item.content)
      let bytes = forms[item.position] ?? entry.changeset
      guard !bytes.isEmpty else { continue }
      versions.append(item.position)
      changesets.append(
        try Changeset(
          decoding: bytes, origin: ChangesetOrigin(timestamp: entry.timestamp, file: ident.ident)))
    }
  }

  /// Transforms a group against the changesets after a version, the last one that the server had integrated before the group,
  /// and these against the group.
  ///
  /// - Parameter offset: the place of the group in what was handed in, for errors.
  mutating func merge(
    _ group: inout [Changeset], after base: ClientVersion, offset: Int
  ) throws -> TransformedChangesets {
    let start = versions.firstIndex { $0 > Int64(clamping: base.rawValue) } ?? versions.endIndex
    guard start < versions.endIndex else { return TransformedChangesets(local: [], incoming: []) }
    var local = Array(changesets[start...])
    let outcome = try Transformer().transformed(local: &local, incoming: &group, offset: offset)
    changesets.replaceSubrange(start..., with: local)
    changed.formUnion(outcome.local.map { start + $0 })
    return outcome
  }

  /// Stores the changed reciprocal forms.
  func store() throws {
    guard !changed.isEmpty else { return }
    let log = try transaction.log(ClientLog.reciprocals)
    for number in changed.sorted() { try log.put(changesets[number].encoded(), at: versions[number]) }
  }
}
