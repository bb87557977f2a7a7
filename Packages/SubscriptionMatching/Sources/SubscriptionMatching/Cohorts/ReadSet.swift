import DataModel
import QueryLanguage

/// The classes and properties that a query with state depends on.
struct ReadSet: Sendable {
  /// For each class whose objects come, go or change the query, the properties read.
  var classes: [String: PropertyMask] = [:]
  /// The classes of which every object in the outcome is shown whole.
  var shown: Set<String>
  /// Whether links from everywhere are counted.
  var isEverything: Bool

  init(_ plan: QueryPlan, _ schema: Schema, showsIncluded: Bool) {
    isEverything = plan.countsAllLinks
    for name in plan.classesRead { classes[name] = PropertyMask() }
    for reference in plan.propertiesRead {
      guard let objectSchema = schema[reference.className],
        let position = objectSchema.properties.firstIndex(where: { $0.name == reference.property })
      else { continue }
      classes[reference.className, default: PropertyMask()].insert(position)
      // A link to an object that is not there reads as null: the class linked to counts by its existence.
      if let target = objectSchema.properties[position].objectClassName, classes[target] == nil {
        classes[target] = PropertyMask()
      }
    }
    shown = showsIncluded ? plan.classesRead : [plan.className]
  }
}

/// The changes of one commit in one class, put together.
struct ClassTouch {
  private(set) var changed = PropertyMask()
  private(set) var hasInsertionsOrDeletions = false
  private(set) var hasUpdates = false

  /// Whether nothing happened: an object that came and went within the commit leaves no trace.
  var isEmpty: Bool { !hasInsertionsOrDeletions && !hasUpdates }

  mutating func add(_ change: ObjectChange) {
    guard change.isUpdate else {
      if change.before != nil || change.after != nil { hasInsertionsOrDeletions = true }
      return
    }
    hasUpdates = true
    changed.formUnion(PropertyMask(change.changedProperties))
  }
}
