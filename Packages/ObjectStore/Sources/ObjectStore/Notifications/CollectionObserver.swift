import StorageEngine
import RecordStore

/// Observes a collection: keeps the elements of the last report, and reports the difference to the present ones. A
/// collection that cannot be read ends the observation.
final class CollectionObserver: ChangeObserver {
  weak var token: NotificationToken?
  private(set) var isFinished = false
  private let source: ResultsSource
  /// The properties whose change modifies an element; nil for all properties, those of linked objects included.
  private let watched: WatchedProperties?
  private let fail: (any Error) -> Void
  private let report: (_ isInitial: Bool, _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) -> Void
  private var last: (snapshot: Snapshot, found: ResultsSource.Found)?

  init(
    _ source: ResultsSource, watched: WatchedProperties?, fail: @escaping (any Error) -> Void,
    _ report: @escaping (_ isInitial: Bool, _ deletions: [Int], _ insertions: [Int], _ modifications: [Int]) -> Void
  ) {
    self.source = source
    self.watched = watched
    self.fail = fail
    self.report = report
  }

  func skip(to snapshot: Snapshot) {
    if last != nil { last = (snapshot, source.current) }
  }

  func deliver(_ snapshot: Snapshot, _ changes: SnapshotChanges) {
    if last?.snapshot.version != snapshot.version, !source.isInvalidated, let failure = source.currentFailure {
      isFinished = true
      return fail(failure)
    }
    guard let last else {
      self.last = (snapshot, source.current)
      return report(true, [], [], [])
    }
    guard last.snapshot.version != snapshot.version else { return }
    let isInvalidated = source.isInvalidated
    let found = isInvalidated ? ResultsSource.Found.rows([]) : source.current
    self.last = (snapshot, found)
    isFinished = isInvalidated
    switch (last.found, found) {
    case (.rows(let old), .rows(let new)): reportRows(old, new, last.snapshot, changes)
    case (.values(let old), .values(let new)): reportValues(old, new)
    case (.values(let old), .rows): reportValues(old, [])
    case (.rows, .values): break
    }
  }

  private func reportRows(_ old: [RowKey], _ new: [RowKey], _ older: Snapshot, _ changes: SnapshotChanges) {
    var modified: Set<RowKey> = []
    if let layout = source.elementAccess?.layout {
      modified = changes.modifiedRows(of: layout, since: older, watched: watched)
    }
    if old == new {
      guard !modified.isEmpty else { return }
      let modifications = old.indices.filter { modified.contains(old[$0]) }
      if !modifications.isEmpty { report(false, [], [], modifications) }
      return
    }
    let diff = CollectionDiff(from: old, to: new)
    let modifications = diff.kept.filter { modified.contains(old[$0.old]) }.map(\.old)
    report(false, diff.deletions, diff.insertions, modifications)
  }

  /// Reports plain values. A deletion and an insertion between the same unchanged neighbours count as one modification.
  private func reportValues(_ old: [StoredValue], _ new: [StoredValue]) {
    guard old != new else { return }
    let diff = CollectionDiff(from: old, to: new)
    var deletions: [Int] = []
    var insertions: [Int] = []
    var modifications: [Int] = []
    var deleted = diff.deletions[...]
    var inserted = diff.insertions[...]
    for kept in diff.kept + [(old: old.count, new: new.count)] {
      var before: [Int] = []
      var after: [Int] = []
      while let position = deleted.first, position < kept.old { before.append(deleted.removeFirst()); _ = position }
      while let position = inserted.first, position < kept.new { after.append(inserted.removeFirst()); _ = position }
      let overwritten = min(before.count, after.count)
      modifications += before.prefix(overwritten)
      deletions += before.dropFirst(overwritten)
      insertions += after.dropFirst(overwritten)
    }
    report(false, deletions, insertions, modifications)
  }
}
