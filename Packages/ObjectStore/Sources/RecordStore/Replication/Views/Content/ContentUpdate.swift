import ChangesetOT
import DataModel
import QueryLanguage
import StorageEngine

/// Brings the content of a view with links from an earlier version to the present, by the objects that were touched since.
///
/// For views whose queries each object decides by itself, or by its place in a window: what enters is found by walking the links
/// of touched objects, and what leaves among the objects that lost a link, by looking for another way to them from a selected
/// object.
///
/// - Complexity: O(*n*) in the touched objects, what enters, and the objects from which lost ones can be reached.
struct ContentUpdate {
  private let queries: RealmQueries
  private let readView: ReadView
  private let state: ReadViewQuerySource
  private let lists: StatePermissions
  /// The content so far; at the end the present one.
  private(set) var content: ViewContent
  private(set) var entered: Set<ObjectReference> = []
  private(set) var left: Set<ObjectReference> = []
  /// Held objects to which a link may be gone, or which may be selected no more.
  private var doubtful: [ObjectReference] = []

  /// The objects that may be looked at to find those through which others are held: beyond them the queries are evaluated anew.
  private let holders: HolderBudget

  /// - Parameter holders: nil for as many as an evaluation looks at, and some.
  init(
    _ content: ViewContent, _ queries: RealmQueries, _ state: ReadViewQuerySource, _ holders: HolderBudget? = nil
  ) {
    self.holders = holders ?? HolderBudget(HolderBudget.base + content.count)
    self.content = content
    self.queries = queries
    self.state = state
    readView = state.readView
    lists = StatePermissions(state)
  }

  /// Takes the touched objects into account.
  ///
  /// - Parameter touched: the objects with the inverses of the versions since the content.
  /// - Returns: false when it is cheaper, or necessary, to evaluate the queries anew.
  mutating func run(_ touched: [(object: ObjectReference, parts: [VersionInverse.Part])]) throws -> Bool {
    guard queries.isDecidedByWindows else { return false }
    guard let shifted = try moveWindows(touched.map(\.object)) else { return false }
    for (object, parts) in touched {
      for part in parts { noteLost(part) }
      guard try look(at: object, isRemade: parts.contains { !$0.existed }) else { return false }
    }
    for object in shifted {
      guard try look(at: object, isRemade: false) else { return false }
    }
    var seen: Set<ObjectReference> = []
    while let object = doubtful.popLast() {
      guard content.contains(object), seen.insert(object).inserted else { continue }
      guard let place = try queries.place(of: object, in: state, lists, among: content, holders) else { return false }
      if place == .inside { continue }
      drop(object)
      // The way to these may have led through it.
      for target in try links(of: object) { doubtful.append(target) }
    }
    return true
  }

  /// Brings the windows up to date.
  ///
  /// - Returns: the objects that came among the first ones, or left them, for others; nil when the state has to be asked anew.
  private mutating func moveWindows(_ touched: [ObjectReference]) throws -> Set<ObjectReference>? {
    var shifted: Set<ObjectReference> = []
    for (name, selection) in queries.selections {
      for (number, query) in selection.queries.enumerated() where query.hasWindow {
        let ident = ViewContent.Window(className: name, number: number)
        guard var window = content.windows.removeValue(forKey: ident) else { return nil }
        let before = window.selected
        var isMoved = false
        for object in touched where object.className == name {
          let row = try state.row(of: object)?.row.rawValue
          let counts = try row.map { try queries.isReadable($0, selection.layout, lists) } ?? false
          if try query.update(&window, object.key, at: counts ? row : nil, in: state) { isMoved = true }
        }
        if window.isUsedUp { return nil }
        content.windows[ident] = window
        guard isMoved else { continue }
        for key in Set(before).symmetricDifference(window.selected) {
          shifted.insert(ObjectReference(className: name, key: key))
        }
      }
    }
    return shifted
  }

  /// - Returns: false when it cannot be found among as many objects as are looked at.
  private mutating func look(at object: ObjectReference, isRemade: Bool) throws -> Bool {
    guard let layout = readView.catalog[object.className], layout.kind == .topLevel else { return true }
    guard let row = try state.row(of: object) else {
      drop(object)
      return true
    }
    let found = try queries.isSelected(row, layout, state, lists, among: content, holders)
    guard let isSelected = found else { return false }
    if isSelected {
      if content.contains(object) { try addLinks(of: [object]) } else { try add(object) }
    } else if content.contains(object) {
      try addLinks(of: [object])
      doubtful.append(object)
    } else if !queries.dependent.contains(object.className) {
      // It may have been selected before.
      doubtful += try links(of: object)
    } else if isRemade {
      // Links to it may have been there before.
      guard let place = try queries.place(of: object, in: state, lists, among: content, holders) else { return false }
      if place == .inside { try add(object) }
    }
    return true
  }

  private mutating func add(_ object: ObjectReference) throws {
    insert(object)
    try addLinks(of: [object])
  }

  private mutating func insert(_ object: ObjectReference) {
    guard queries.dependent.contains(object.className), content.insert(object) else { return }
    if left.remove(object) == nil { entered.insert(object) }
  }

  private mutating func drop(_ object: ObjectReference) {
    guard content.remove(object) else { return }
    if entered.remove(object) == nil { left.insert(object) }
  }

  /// Adds everything that some objects link to, and what that links to, as far as it is not held yet.
  private mutating func addLinks(of objects: [ObjectReference]) throws {
    guard queries.followsLinks else { return }
    var pending = objects
    var seen = Set(objects)
    while let next = pending.popLast() {
      for target in try links(of: next) where !content.contains(target) && seen.insert(target).inserted {
        insert(target)
        pending.append(target)
      }
    }
  }

  /// The objects that an object links to, of classes that the user may read; those of what is embedded in it included.
  private func links(of object: ObjectReference) throws -> [ObjectReference] {
    guard queries.followsLinks, let row = try state.row(of: object) else { return [] }
    var found: [ObjectReference] = []
    var pending = [row]
    var targets: [ClassRow] = []
    while let next = pending.popLast() {
      targets.removeAll(keepingCapacity: true)
      try state.appendLinks(of: next, to: &targets)
      for target in targets {
        guard let layout = readView.catalog[target.table] else { continue }
        if layout.kind == .embedded {
          pending.append(target)
        } else if queries.permissions?.mayRead(layout.name) ?? true, let object = try state.object(in: target) {
          found.append(object)
        }
      }
    }
    return found
  }

  /// Notes the targets of links that a version took away.
  private mutating func noteLost(_ part: VersionInverse.Part) {
    guard queries.followsLinks else { return }
    for inverse in part.fields.values { inverse.appendLostLinks(to: &doubtful) }
  }
}

extension RealmQueries {
  /// Whether each object decides by itself, or by its place in a window, whether the queries select it.
  var isDecidedByWindows: Bool {
    selections.values.allSatisfy { selection in
      selection.queries.allSatisfy { query in
        let plan = query.plan
        return query.hasWindow
          || !plan.hasOrderingClauses && !plan.followsLinks && !plan.countsAllLinks && plan.classesIncluded.isEmpty
      }
    }
  }
}
