import DataModel

/// The model classes that one realm holds: those asked for and everything they link to.
struct ModelSchema {
  let bindings: [ClassBinding]
  let schema: Schema

  /// - Parameter isClosed: whether a class that is linked to and not among the types is an error.
  init(_ types: [ObjectBase.Type], isClosed: Bool) {
    var queue = types
    var seen: Set<ObjectIdentifier> = []
    var names: [String: ObjectBase.Type] = [:]
    var bindings: [ClassBinding] = []
    while let type = queue.popLast() {
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      let binding = ClassBinding.of(type)
      let name = type.className()
      if let other = names[name], other != type {
        violated(
          "Two model classes are named '\(name)'. Names must be unique over all modules; see _realmObjectName().")
      }
      names[name] = type
      bindings.append(binding)
      for linked in binding.declaration.linkedTypes where !seen.contains(ObjectIdentifier(linked)) {
        rule(
          !isClosed || types.contains { $0 == linked },
          "Class '\(name)' links to '\(linked.className())', which is missing in the configuration's objectTypes.")
        queue.append(linked)
      }
    }
    self.bindings = bindings.sorted { $0.type.className() < $1.type.className() }
    schema = Schema(self.bindings.map(\.declaration.schema))
    do { try schema.validate() } catch { violated("The model classes do not form a schema: \(error)") }
  }
}
