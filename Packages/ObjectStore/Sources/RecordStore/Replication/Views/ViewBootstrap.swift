import ChangesetOT
import DataModel
import StorageEngine

/// The way of a client's file from the objects of one subscription set to those of another, at one version of the server's
/// history.
///
/// First come the changes up to that version as seen from the held set, then the objects that only the held set selects are
/// erased, then those that only the wanted one selects are made. Objects in both need no more than the changes, so that
/// concurrent edits of them merge as ever. A file that has nothing is given the schema in place of the changes.
///
/// Holds the snapshot that it reads. Every changeset ends with the first instruction that brings it to
/// ``ServerHistory/bootstrapPieceSize``.
///
/// - Complexity: O(*n*) in the versions after the cursor and in the objects that match.
struct ViewBootstrap: Sendable {
  let view: ViewRequest
  /// The version that it leads to.
  let version: ServerVersion
  /// The changes as seen from the held set; nil for a file that has nothing.
  var changes: ViewChanges?
  /// Where the changes stopped; at the end the cursor of the client.
  var reached: DownloadCursor
  private let snapshot: Snapshot
  private let catalog: Catalog
  /// The objects that go, by class.
  private var leaving: ArraySlice<(layout: ClassLayout, row: RowKey)> = []
  private var entering: StateSynthesis

  /// - Parameters:
  ///   - snapshot: the state at `version`.
  ///   - changes: of the held set, from `cursor` to `version`; nil for a file that has nothing.
  ///   - wanted: the queries of the wanted set, with the roles of the user.
  init(
    _ view: ViewRequest, from cursor: DownloadCursor, to version: ServerVersion, _ snapshot: Snapshot,
    _ catalog: Catalog, _ changes: ViewChanges?, wanted: RealmQueries
  ) throws {
    self.view = view
    self.version = version
    self.changes = changes
    reached = cursor
    self.snapshot = snapshot
    self.catalog = catalog
    let source = ReadViewQuerySource(ReadView(snapshot, catalog))
    let held = try changes?.queries.rows(in: source) ?? [:]
    let rows = try wanted.rows(in: source)
    var selection: [TableID: [RowKey]] = [:]
    var leaving: [(layout: ClassLayout, row: RowKey)] = []
    for layout in catalog.classes where layout.kind == .topLevel {
      let (old, new) = (held[layout.table] ?? [], rows[layout.table] ?? [])
      selection[layout.table] = Self.difference(new, old)
      leaving += Self.difference(old, new).map { (layout: layout, row: $0) }
    }
    self.leaving = leaving[...]
    entering = try StateSynthesis(
      snapshot, catalog, rows: selection, declares: changes == nil, pieceSize: ServerHistory.bootstrapPieceSize)
  }

  /// The state that it leads to.
  var readView: ReadView { ReadView(snapshot, catalog) }

  /// The rows of one ascending list that another does not have. O(*n*).
  private static func difference(_ rows: [RowKey], _ others: [RowKey]) -> [RowKey] {
    var result: [RowKey] = []
    var rest = others[...]
    for row in rows {
      while let other = rest.first, other < row { rest = rest.dropFirst() }
      if rest.first != row { result.append(row) }
    }
    return result
  }

  /// The next changeset behind the changes; nil when the file holds the wanted set.
  mutating func next() throws -> [UInt8]? {
    var piece = ChangesetWriter()
    while let (layout, row) = leaving.first, piece.count < ServerHistory.bootstrapPieceSize {
      piece.eraseObject(piece.intern(layout.name), try readView.key(row, layout))
      leaving = leaving.dropFirst()
    }
    return piece.isEmpty ? try entering.next() : piece.finish()
  }
}
