public import Dispatch
public import Foundation
import StorageEngine
import RecordStore

/// The changes of sections since the last call of their handler.
///
/// Deletions, modifications and `sectionsToDelete` are positions in the previous sections, insertions and
/// `sectionsToInsert` positions in the present ones. The elements of a deleted section are not listed. An element that
/// changed and moved within its section is a deletion and an insertion.
public enum SectionedResultsChange<Collection> {
  /// The first call, with the present sections.
  case initial(Collection)
  /// A later call, with the present sections and their changes.
  case update(
    Collection, deletions: [IndexPath], insertions: [IndexPath], modifications: [IndexPath],
    sectionsToInsert: IndexSet, sectionsToDelete: IndexSet)
}

extension SectionedResults {
  /// Calls `block` with the present sections, and again after each change, until the token is released or invalidated.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose change modifies an element; nil for all, those of linked objects included.
  ///   - queue: a serial queue to call `block` on, with sections of a realm of that queue; nil for the realm's own
  ///     thread.
  /// - Returns: the registration.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    source.observe(keyPaths, queue) { source, change in
      let sections = SectionedResults(source: source)
      guard let change else { return block(.initial(sections)) }
      block(change.update(of: sections))
    }
  }
}

extension SectionedResults where SectionElement: ObjectBase {
  /// ``observe(keyPaths:on:_:)-([String]?,_,_)`` with key paths of the model.
  public func observe(
    keyPaths: [PartialKeyPath<SectionElement>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<SectionedResults>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { KeyPathTracer.name($0) }, on: queue, block)
  }
}

extension ResultsSection {
  /// Calls `block` with the present section, and again after each change, until the token is released or invalidated.
  ///
  /// - Parameters:
  ///   - keyPaths: the properties whose change modifies an element; nil for all, those of linked objects included.
  ///   - queue: a serial queue to call `block` on, with a section of a realm of that queue; nil for the realm's own
  ///     thread.
  /// - Returns: the registration.
  public func observe(
    keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    let key = self.key
    return source.observe(keyPaths, queue) { source, change in
      let section = ResultsSection(source: source, key: key)
      guard let change else { return block(.initial(section)) }
      let own = change.only(section: key)
      if !own.isEmpty { block(own.update(of: section)) }
    }
  }
}

extension ResultsSection where T: ObjectBase {
  /// ``observe(keyPaths:on:_:)-([String]?,_,_)`` with key paths of the model.
  public func observe(
    keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil,
    _ block: @escaping (SectionedResultsChange<ResultsSection>) -> Void
  ) -> NotificationToken {
    observe(keyPaths: keyPaths.map { KeyPathTracer.name($0) }, on: queue, block)
  }
}

/// The difference between two states of sections.
struct SectionedDiff<Key: Hashable> {
  var deletions: [IndexPath] = []
  var insertions: [IndexPath] = []
  var modifications: [IndexPath] = []
  var sectionsToInsert = IndexSet()
  var sectionsToDelete = IndexSet()
  private let old: [Key]
  private let new: [Key]

  init<Element: Hashable>(
    from old: [(key: Key, elements: [Element])], to new: [(key: Key, elements: [Element])],
    modified: (Element) -> Bool
  ) {
    self.old = old.map(\.key)
    self.new = new.map(\.key)
    let sections = CollectionDiff(from: self.old, to: self.new)
    sectionsToDelete = IndexSet(sections.deletions)
    sectionsToInsert = IndexSet(sections.insertions)
    for section in sections.insertions {
      for item in new[section].elements.indices { insertions.append(IndexPath(item: item, section: section)) }
    }
    for pair in sections.kept {
      let diff = CollectionDiff(from: old[pair.old].elements, to: new[pair.new].elements)
      deletions += diff.deletions.map { IndexPath(item: $0, section: pair.old) }
      insertions += diff.insertions.map { IndexPath(item: $0, section: pair.new) }
      for kept in diff.kept where modified(old[pair.old].elements[kept.old]) {
        let (before, after) = (
          IndexPath(item: kept.old, section: pair.old), IndexPath(item: kept.new, section: pair.new)
        )
        if kept.old == kept.new {
          modifications.append(before)
        } else {
          deletions.append(before)
          insertions.append(after)
        }
      }
    }
    deletions.sort()
    insertions.sort()
  }

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && sectionsToInsert.isEmpty
      && sectionsToDelete.isEmpty
  }

  /// The changes of one section.
  func only(section key: Key) -> SectionedDiff {
    var diff = self
    let (before, after) = (old.firstIndex(of: key), new.firstIndex(of: key))
    diff.deletions = deletions.filter { $0.section == before }
    diff.modifications = modifications.filter { $0.section == before }
    diff.insertions = insertions.filter { $0.section == after }
    diff.sectionsToDelete = sectionsToDelete.filteredIndexSet { $0 == before }
    diff.sectionsToInsert = sectionsToInsert.filteredIndexSet { $0 == after }
    return diff
  }

  func update<Collection>(of collection: Collection) -> SectionedResultsChange<Collection> {
    .update(
      collection, deletions: deletions, insertions: insertions, modifications: modifications,
      sectionsToInsert: sectionsToInsert, sectionsToDelete: sectionsToDelete)
  }
}

extension SectionedSource {
  /// - Parameter report: called first with nil.
  func observe(
    _ keyPaths: [String]?, _ queue: DispatchQueue?,
    _ report: @escaping (SectionedSource, SectionedDiff<Key>?) -> Void
  ) -> NotificationToken {
    checkObservable(view)
    let watched = elements.elementAccess.flatMap { WatchedProperties(keyPaths, of: $0.layout.name, view) }
    func observer(_ source: SectionedSource) -> any ChangeObserver {
      SectionedObserver(source, watched) { report(source, $0) }
    }
    guard let queue else { return view.notifier.observe(observer(self)) }
    let refused: (any Error) -> Void = { log(.error, "Sections cannot be observed where they were to be. \($0)") }
    return view.observe(on: queue, refused: refused) { view in self.moved(to: view).map { observer($0) } }
  }
}

/// Observes sections: keeps their elements of the last report, and reports the difference to the present ones.
private final class SectionedObserver<Key: Hashable, Element: RealmCollectionValue>: ChangeObserver {
  weak var token: NotificationToken?
  private(set) var isFinished = false
  private let source: SectionedSource<Key, Element>
  private let watched: WatchedProperties?
  private let report: (SectionedDiff<Key>?) -> Void
  private var last: (snapshot: Snapshot, state: [(key: Key, elements: [StoredValue])])?

  init(
    _ source: SectionedSource<Key, Element>, _ watched: WatchedProperties?,
    _ report: @escaping (SectionedDiff<Key>?) -> Void
  ) {
    self.source = source
    self.watched = watched
    self.report = report
  }

  func skip(to snapshot: Snapshot) {
    if last != nil { last = (snapshot, source.state) }
  }

  func deliver(_ snapshot: Snapshot, _ changes: SnapshotChanges) {
    let state = source.state
    guard let last else {
      self.last = (snapshot, state)
      return report(nil)
    }
    guard last.snapshot.version != snapshot.version else { return }
    self.last = (snapshot, state)
    isFinished = source.elements.isInvalidated
    var modified: Set<RowKey> = []
    if let layout = source.elements.elementAccess?.layout {
      modified = changes.modifiedRows(of: layout, since: last.snapshot, watched: watched)
    }
    let diff = SectionedDiff(from: last.state, to: state) { element in
      if case .link(_, let row) = element { modified.contains(row) } else { false }
    }
    if !diff.isEmpty { report(diff) }
  }
}
