import DataModel
import GraphQL

/// The classes whose objects a selection shows beside those of its root field: a change of one of them may change the result.
struct SelectionReach {
  /// The classes, by their names in the realm.
  private(set) var classes: Set<String> = []
  /// Whether values of any type are shown, which tell whether what they link to is there: any object, of any class.
  private(set) var showsMixed = false

  /// - Parameters:
  ///   - call: the root field.
  ///   - type: the class of its objects.
  init(_ call: FieldCall, _ type: ClassModel, _ model: RealmModel) {
    var pending: [(FieldCall, String)] = [(call, type.typeName)]
    for use in [DerivedNames.Use.collection, .changes, .placed] {
      pending.append((call, model.derived[type.typeName, use]))
    }
    // Documents are trees of bounded size: every call is visited once for each type that it may have.
    while let (call, typeName) = pending.popLast() {
      let owner = model.classes.first { $0.typeName == typeName }
      for field in call.fields(on: typeName) { visit(field, owner, model, &pending) }
    }
  }

  private mutating func visit(
    _ field: FieldCall, _ owner: ClassModel?, _ model: RealmModel, _ pending: inout [(FieldCall, String)]
  ) {
    var target: ClassModel?
    if field.name == "_linkingObjects" {
      target = model.model(named: field.arguments["objectType"]?.string ?? "")
    } else if let known = owner?.field(named: field.name) {
      if known.property.type == .any { showsMixed = true }
      target = known.target.flatMap { model[$0] }
    } else if owner == nil {
      // Items of a collection, entries of a dictionary, changes.
      let name = field.definition.type.name.text
      if name == "Mixed" { showsMixed = true }
      let inner = model.classes.first { $0.typeName == name }
      pending.append((field, name))
      if let inner { pending.append((field, inner.typeName)) }
      return
    }
    guard let target else { return }
    if target.isTopLevel { classes.insert(target.className) }
    pending.append((field, target.typeName))
    for use in [DerivedNames.Use.collection, .entry] { pending.append((field, model.derived[target.typeName, use])) }
  }
}
