import StorageEngine

/// Watches a collection: keeps what it held when its handler heard last, and says how that became what it holds now. A
/// collection that cannot be read ends it.
final class CollectionObserver: ChangeObserver {
  weak var token: NotificationToken?
  private(set) var isOver = false
  private let source: ResultsSource
  /// The properties whose change makes an element modified; nil for all, and for objects linked to.
  private let watched: WatchedProperties?
  private let fail: (any Error) -> Void
  private let tell: (_ isInitial: Bool, _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) -> Void
  private var last: (snapshot: Snapshot, found: ResultsSource.Found)?

  init(
    _ source: ResultsSource, watched: WatchedProperties?, fail: @escaping (any Error) -> Void,
    _ tell: @escaping (_ isInitial: Bool, _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) -> Void
  ) {
    self.source = source
    self.watched = watched
    self.fail = fail
    self.tell = tell
  }

  func skip(to snapshot: Snapshot) {
    if last != nil { last = (snapshot, source.current) }
  }

  func deliver(_ snapshot: Snapshot, _ changes: SnapshotChanges) {
    if last?.snapshot.version != snapshot.version, !source.isInvalidated, let failure = source.currentFailure {
      isOver = true
      return fail(failure)
    }
    guard let last else {
      self.last = (snapshot, source.current)
      return tell(true, [], [], [])
    }
    guard last.snapshot.version != snapshot.version else { return }
    let isGone = source.isInvalidated
    let found = isGone ? ResultsSource.Found.rows([]) : source.current
    self.last = (snapshot, found)
    isOver = isGone
    switch (last.found, found) {
    case (.rows(let old), .rows(let new)): tellRows(old, new, last.snapshot, changes)
    case (.values(let old), .values(let new)): tellValues(old, new)
    case (.values(let old), .rows): tellValues(old, [])
    case (.rows, .values): break
    }
  }

  private func tellRows(_ old: [RowKey], _ new: [RowKey], _ older: Snapshot, _ changes: SnapshotChanges) {
    var modified: Set<RowKey> = []
    if let layout = source.elementAccess?.layout {
      modified = changes.modifiedRows(of: layout, since: older, watched: watched)
    }
    if old == new {
      guard !modified.isEmpty else { return }
      let modifications = old.indices.filter { modified.contains(old[$0]) }
      if !modifications.isEmpty { tell(false, [], [], modifications) }
      return
    }
    let diff = CollectionDiff(from: old, to: new)
    let modifications = diff.kept.filter { modified.contains(old[$0.old]) }.map(\.old)
    tell(false, diff.deletions, diff.insertions, modifications)
  }

  /// A value that was written over is a modification: a deletion and an insertion in the same gap between values
  /// that stayed.
  private func tellValues(_ old: [StoredValue], _ new: [StoredValue]) {
    guard old != new else { return }
    let diff = CollectionDiff(from: old, to: new)
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []
    var gone = diff.deletions[...]
    var come = diff.insertions[...]
    for kept in diff.kept + [(old: old.count, new: new.count)] {
      var before: [Int] = []
      var after: [Int] = []
      while let position = gone.first, position < kept.old { before.append(gone.removeFirst()); _ = position }
      while let position = come.first, position < kept.new { after.append(come.removeFirst()); _ = position }
      let written = min(before.count, after.count)
      modifications += before.prefix(written)
      deletions += before.dropFirst(written)
      insertions += after.dropFirst(written)
    }
    tell(false, deletions, insertions, modifications)
  }
}
