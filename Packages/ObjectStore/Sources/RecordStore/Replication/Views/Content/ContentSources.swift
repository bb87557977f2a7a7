import ChangesetOT
import DataModel
import Permissions
import QueryLanguage

/// The facts on which the content of a view depends, beside the roles of its user: what a version has to touch to change it.
struct ContentSources: Sendable {
  /// One class: the fields that matter, and whether a new object may be held without a link to it.
  private struct Source: Sendable {
    var fields: Set<String> = []
    /// Those of the fields that conditions, sorts and includes read.
    var read: Set<String> = []
    var isSeed = false
    /// Whether an object makes room for another one when it is erased.
    var isOrdered = false
  }

  private var classes: [String: Source] = [:]
  /// Whether any touch may change the content.
  private var isEverything = false
  /// The classes to whose objects held ones can link: one that is made may have been linked to before it was there.
  private var followed: Set<String> = []
  /// The classes to whose objects conditions follow links: these lead to nothing while an object is not there.
  private(set) var asked: Set<String> = []
  /// The classes whose objects hold parts that conditions, or INCLUDE, look at because of what these link to.
  private(set) var holders: Set<String> = []
  private let catalog: Catalog

  /// - Complexity: O(*n*) in the queries and the fields of the classes that can be reached.
  init(_ queries: RealmQueries, _ catalog: Catalog) {
    self.catalog = catalog
    for (name, selection) in queries.selections {
      classes[name, default: Source()].isSeed = true
      for query in selection.queries { add(query.plan) }
    }
    var pending = Array(classes.keys)
    var seen = Set(pending)
    while let name = pending.popLast() {
      guard let layout = catalog[name] else { continue }
      var source = classes[name] ?? Source()
      source.fields.formUnion(layout.accessLists.map(\.name))
      if queries.followsLinks {
        source.fields.formUnion(layout.fields.lazy.filter(\.canLink).map(\.name))
        for target in catalog.linkTargets(of: name) {
          followed.insert(target)
          if seen.insert(target).inserted { pending.append(target) }
        }
      }
      classes[name] = source
    }
  }

  private mutating func add(_ plan: QueryPlan) {
    if plan.countsAllLinks { isEverything = true }
    if plan.hasOrderingClauses { classes[plan.className, default: Source()].isOrdered = true }
    for property in plan.propertiesRead {
      classes[property.className, default: Source()].fields.insert(property.property)
      classes[property.className]?.read.insert(property.property)
      if catalog[property.className]?.field(property.property)?.canLink ?? false {
        asked.formUnion(catalog.linkTargets(of: property.className))
      }
      // Objects of other classes count by being there.
      if property.className != plan.className { classes[property.className]?.isSeed = true }
    }
    for name in plan.classesIncluded { classes[name, default: Source()].isSeed = true }
    // Versions tell a change of a part as one of the object around it.
    for field in plan.originsRead.union(plan.classesIncluded).flatMap(catalog.holdingFields(of:))
    where field.layout.kind != .embedded {
      let name = field.layout.name
      holders.insert(name)
      classes[name, default: Source()].fields.insert(field.field.name)
      classes[name]?.read.insert(field.field.name)
      if name != plan.className { classes[name]?.isSeed = true }
    }
  }

  /// Whether what a version did to an object may change a content that was held before.
  ///
  /// - Complexity: O(*n*) in the touched fields.
  func mayChange(_ content: ViewContent, by part: VersionInverse.Part) -> Bool {
    if isEverything { return true }
    let name = part.object.className
    let source = classes[name]
    if !part.existed {
      return source?.isSeed ?? false || followed.contains(name) || asked.contains(name)
        || content.contains(part.object)
    }
    if asked.contains(name) || source?.isOrdered ?? false, mayBeErasure(part) { return true }
    // Of an object that the version erased all fields are there.
    return source.map { source in part.fields.keys.contains { source.fields.contains($0) } } ?? false
  }

  /// Whether what a version did to an object may have taken something out of a content: an object, a link, what a condition asks about, or a
  /// place among the first ones.
  ///
  /// - Complexity: O(*n*) in the touched fields.
  func mayLetGo(by part: VersionInverse.Part) -> Bool {
    if isEverything { return true }
    let name = part.object.className
    let source = classes[name]
    if source?.isOrdered ?? false || asked.contains(name) { return true }
    guard part.existed else { return false }
    if mayBeErasure(part) { return source != nil || followed.contains(name) }
    var lost: [ObjectReference] = []
    for (field, inverse) in part.fields {
      if source?.read.contains(field) ?? false { return true }
      inverse.appendLostLinks(to: &lost)
    }
    return !lost.isEmpty
  }

  /// Whether objects that the version did not touch may be selected by themselves now, or no more: it made or erased an object to which
  /// conditions have links, and such a link is null while the object is not there.
  func decidesOthers(_ part: VersionInverse.Part) -> Bool {
    asked.contains(part.object.className) && (!part.existed || mayBeErasure(part))
  }

  /// Whether the version may have erased the object: all of its fields are there, the key included.
  private func mayBeErasure(_ part: VersionInverse.Part) -> Bool {
    guard let key = catalog[part.object.className]?.keyField else { return true }
    return part.fields[key.name] != nil
  }
}
