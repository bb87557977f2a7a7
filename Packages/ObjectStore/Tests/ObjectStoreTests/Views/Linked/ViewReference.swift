import ChangesetOT
import DataModel
import QueryLanguage
import StorageEngine

@testable import ObjectStore
@testable import RecordStore

/// Objects by class.
typealias HeldObjects = [String: Set<ObjectKey>]

/// The rights of the user of a view, as far as they decide what it holds; by default all.
struct ViewRights {
  var subscribes: (_ className: String) -> Bool = { _ in true }
  var readsClass: (_ className: String) -> Bool = { _ in true }
  var reads: (ObjectReference) -> Bool = { _ in true }
  /// The classes whose objects may be hidden from the user one by one.
  var listedClasses: Set<String> = []
}

/// Finds what a view is to hold from a dump of the server's state.
///
/// Conditions are asked in a fresh file that is made from the state; order, limits, inclusion and closure are found here.
struct ViewReference {
  let dump: StateDump
  private let source: ReadViewQuerySource
  private let schema: QuerySchema

  init(_ server: RealmFile) throws { try self.init(server.copy().latestReadView(), dump: server.dump()) }

  /// - Parameters:
  ///   - readView: a state of a file that is not the server's own.
  ///   - dump: its content.
  init(_ readView: ReadView, dump: StateDump) {
    self.dump = dump
    source = ReadViewQuerySource(readView)
    schema = QuerySchema(readView.schema)
  }

  /// The objects of the dump that are held, classes that were declared with none included.
  func expected(_ held: HeldObjects) -> StateDump {
    var part = dump
    for (name, objects) in dump.objects {
      part.objects[name] = objects.filter { held[name]?.contains($0.key) ?? false }
    }
    return part
  }

  /// The objects that queries hold.
  ///
  /// - Parameter hasLimits: whether DISTINCT and LIMIT play a part.
  func held(
    _ selections: [ViewSelection], followsLinks: Bool, _ rights: ViewRights = ViewRights(), hasLimits: Bool = true
  ) throws -> HeldObjects {
    var held: HeldObjects = [:]
    let forbidden = try forbidden(selections, followsLinks: followsLinks, rights)
    for selection in selections
    where rights.subscribes(selection.className) && !forbidden.contains(selection.className) {
      var keys = try matches(selection).filter { key in
        rights.reads(ObjectReference(className: selection.className, key: key))
      }
      if hasLimits { keys = ordered(keys, selection) }
      held[selection.className, default: []].formUnion(keys)
      guard let (origin, field) = selection.include, rights.readsClass(origin), rights.subscribes(origin) else {
        continue
      }
      let targets = Set(keys.map { ObjectReference(className: selection.className, key: $0) })
      for (key, fields) in dump.objects[origin] ?? [:] {
        guard rights.reads(ObjectReference(className: origin, key: key)), let item = fields[field],
          item.links.contains(where: targets.contains)
        else { continue }
        held[origin, default: []].insert(key)
      }
    }
    guard followsLinks else { return held }
    for name in ["__Realm", "__Class", "__Role", "__User"] where rights.readsClass(name) {
      for key in (dump.objects[name] ?? [:]).keys where rights.reads(ObjectReference(className: name, key: key)) {
        held[name, default: []].insert(key)
      }
    }
    return dump.closure(of: held, rights)
  }

  // MARK: Queries

  /// The classes of which nothing is selected, as a query of theirs asks about objects that the user may not see: of classes
  /// without read, or with lists. Links forward to the latter are free where the view holds what they lead to.
  func forbidden(_ selections: [ViewSelection], followsLinks: Bool, _ rights: ViewRights) throws -> Set<String> {
    var forbidden: Set<String> = []
    for selection in selections
    where dump.objects[selection.className] != nil && rights.subscribes(selection.className) {
      let plan = try QueryPlan(
        try ParsedQuery(parsing: selection.text), className: selection.className, schema: schema)
      let others = plan.classesRead.union(plan.originsRead).subtracting([selection.className])
      let asked = followsLinks ? plan.originsRead : plan.originsRead.union(others).union(plan.classesReached)
      let origins = plan.originsRead.subtracting([selection.className])
      if !others.allSatisfy(rights.readsClass) || !origins.allSatisfy(rights.subscribes)
        || !asked.isDisjoint(with: rights.listedClasses)
        || plan.countsAllLinks && !rights.listedClasses.isEmpty
      {
        forbidden.insert(selection.className)
      }
    }
    return forbidden
  }

  private func matches(_ selection: ViewSelection) throws -> [ObjectKey] {
    guard let table = try source.table(selection.className), let objects = dump.objects[selection.className] else {
      return []
    }
    let plan = try QueryPlan(
      try ParsedQuery(parsing: selection.condition), className: selection.className, schema: schema)
    return try objects.keys.filter { key in
      guard let row = try table.row(forKey: key) else { return false }
      return try plan.matches(row, in: source)
    }
  }

  private func ordered(_ keys: [ObjectKey], _ selection: ViewSelection) -> [ObjectKey] {
    var keys = keys.sorted { Self.precedes($0, $1) }
    func values(_ path: String) -> [ObjectKey: PathValue] {
      Dictionary(uniqueKeysWithValues: keys.map { ($0, value(path, selection.className, $0)) })
    }
    if let (path, isAscending) = selection.sort {
      let values = values(path)
      let places = Dictionary(uniqueKeysWithValues: zip(keys, keys.indices))
      keys.sort { left, right in
        guard let first = values[left], let second = values[right], first != second else {
          return (places[left] ?? 0) < (places[right] ?? 0)
        }
        return isAscending ? first < second : second < first
      }
    }
    if let path = selection.distinct {
      let values = values(path)
      var seen: Set<PathValue> = []
      keys = keys.filter { key in
        guard let value = values[key], value != .nowhere else { return false }
        return seen.insert(value).inserted
      }
    }
    return selection.limit.map { Array(keys.prefix($0)) } ?? keys
  }

  /// The value at the end of a path.
  private enum PathValue: Hashable, Comparable {
    case null
    case int(Int64)
    case text(String)
    /// A link of the path leads to nothing: the last one in ascending order.
    case nowhere
  }

  private func value(_ path: String, _ className: String, _ key: ObjectKey) -> PathValue {
    var fields = dump.objects[className]?[key] ?? [:]
    let steps = path.split(separator: ".").map(String.init)
    for step in steps.dropLast() {
      guard case .value(.link(let next))? = fields[step], let there = dump.objects[next.className]?[next.key] else {
        return .nowhere
      }
      fields = there
    }
    switch steps.last.flatMap({ fields[$0] }) {
    case .value(.int(let value)): return .int(value)
    case .value(.string(let value)): return .text(value)
    default: return .null
    }
  }

  private static func precedes(_ left: ObjectKey, _ right: ObjectKey) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left < right
    case (.string(let left), .string(let right)): left < right
    case (.global(let left), .global(let right)): left < right
    default: false
    }
  }
}

extension StateDump {
  /// Everything that can be reached from some objects, in classes that may be read.
  func closure(of seeds: HeldObjects, _ rights: ViewRights) -> HeldObjects {
    var held = seeds
    var pending = seeds.flatMap { name, keys in keys.map { ObjectReference(className: name, key: $0) } }
    while let object = pending.popLast() {
      for (_, item) in objects[object.className]?[object.key] ?? [:] {
        for link in item.links where rights.readsClass(link.className) {
          guard objects[link.className]?[link.key] != nil else { continue }
          if held[link.className, default: []].insert(link.key).inserted { pending.append(link) }
        }
      }
    }
    return held
  }
}

extension RealmFile {
  /// A file of its own with the same state.
  func copy() throws -> RealmFile {
    let copy = try memoryFile()
    let origin = ChangesetOrigin(timestamp: OriginTimestamp(0), file: .server)
    var synthesis = try StateSynthesis(self)
    while let piece = try synthesis.next() {
      try copy.commit(try Changeset(decoding: piece, origin: origin).instructions)
    }
    return copy
  }
}
