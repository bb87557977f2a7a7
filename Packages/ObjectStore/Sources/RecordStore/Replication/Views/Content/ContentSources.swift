import ChangesetOT
import DataModel
import Permissions
import QueryLanguage

/// The facts on which the content of a view depends, beside the roles of its user: what a version has to touch to change it.
struct ContentSources: Sendable {
  /// One class: the fields that matter, and whether a new object may be held without a link to it.
  private struct Source: Sendable {
    var fields: Set<String> = []
    var isSeed = false
  }

  private var classes: [String: Source] = [:]
  /// Whether any touch may change the content.
  private var isEverything = false

  /// - Complexity: O(*n*) in the queries and the fields of the classes that can be reached.
  init(_ queries: RealmQueries, _ catalog: Catalog) {
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
        for target in catalog.linkTargets(of: name) where seen.insert(target).inserted { pending.append(target) }
      }
      classes[name] = source
    }
  }

  private mutating func add(_ plan: QueryPlan) {
    if plan.countsAllLinks { isEverything = true }
    for property in plan.propertiesRead {
      classes[property.className, default: Source()].fields.insert(property.property)
      // Objects of other classes count by being there.
      if property.className != plan.className { classes[property.className]?.isSeed = true }
    }
    for name in plan.classesIncluded { classes[name, default: Source()].isSeed = true }
  }

  /// Whether what a version did to an object may change a content that was held before.
  ///
  /// - Complexity: O(*n*) in the touched fields.
  func mayChange(_ content: ViewContent, by part: VersionInverse.Part) -> Bool {
    if isEverything { return true }
    guard let source = classes[part.object.className] else { return content.contains(part.object) && !part.existed }
    if !part.existed { return source.isSeed || content.contains(part.object) }
    // Of an object that the version erased all fields are there.
    return part.fields.keys.contains { source.fields.contains($0) }
  }
}
