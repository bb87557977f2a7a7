import DataModel
import Synchronization
import RecordStore

/// The model classes that one realm holds: those asked for and everything they link to.
///
/// Classes with one stored name share a table when they have the same stored properties, whatever they call them.
struct ModelSchema: Sendable {
  /// One per stored class; one that several classes declare has the properties of all of them.
  let schema: Schema
  /// The catalog that was found to fit last.
  private let fitting = Fitting()

  private final class Fitting: Sendable {
    let catalog = Mutex<Catalog?>(nil)
  }

  /// What was asked for so far, by the classes: a program opens realms of the same ones again and again.
  private static let known = Mutex<[[ObjectIdentifier]: ModelSchema]>([:])

  /// The schema of the classes that a configuration names, made once for each array of them.
  static func of(_ types: [ObjectBase.Type]) -> ModelSchema {
    let question = types.map { ObjectIdentifier($0) }
    if let model = known.withLock({ $0[question] }) { return model }
    let model = ModelSchema(types, isClosed: true)
    known.withLock { $0[question] = model }
    return model
  }

  /// - Parameter isClosed: whether a class that is linked to and not among the types is an error.
  init(_ types: [ObjectBase.Type], isClosed: Bool) {
    var queue = types
    var seen: Set<ObjectIdentifier> = []
    var declared: [String: ObjectSchema] = [:]
    while let type = queue.popLast() {
      guard seen.insert(ObjectIdentifier(type)).inserted else { continue }
      let declaration = ClassBinding.of(type).declaration
      let name = declaration.schema.className
      guard let joined = declared[name].map({ $0.joined(declaration.schema) }) ?? declaration.schema else {
        violated(
          "Two model classes with different properties are named '\(name)'. Rename one, or name those that a realm holds in the configuration's objectTypes."
        )
      }
      declared[name] = joined
      for linked in declaration.linkedTypes where !seen.contains(ObjectIdentifier(linked)) {
        rule(
          !isClosed || types.contains { $0 == linked },
          "Class '\(name)' links to '\(linked.className())', which is missing in the configuration's objectTypes.")
        queue.append(linked)
      }
    }
    schema = Schema(declared.values.sorted { $0.className < $1.className })
    do { try schema.validate() } catch { violated("The model classes do not form a schema: \(error)") }
  }

  /// Whether this is the catalog that was last found to have all classes as they are declared, and no others' fields.
  func fits(_ catalog: Catalog) -> Bool { fitting.catalog.withLock { $0 === catalog } }

  func note(fitting catalog: Catalog) { fitting.catalog.withLock { $0 = catalog } }

  /// The classes of the program, for a realm that names none.
  ///
  /// Classes that share a name and not their properties are left out, and so is what links to them: each joins when it is
  /// first used.
  static var ofProgram: ModelSchema {
    let types = ModelClasses.all
    var declared: [String: ObjectSchema] = [:]
    var excluded: Set<String> = []
    for type in types {
      let schema = ClassBinding.of(type).declaration.schema
      guard let joined = declared[schema.className].map({ $0.joined(schema) }) ?? schema else {
        excluded.insert(schema.className)
        continue
      }
      declared[schema.className] = joined
    }
    var kept = types
    while true {
      let dropped = kept.filter { type in
        excluded.contains(type.className())
          || ClassBinding.of(type).declaration.linkedTypes.contains { excluded.contains($0.className()) }
      }
      if dropped.isEmpty { return ModelSchema(kept, isClosed: false) }
      excluded.formUnion(dropped.map { $0.className() })
      kept.removeAll { excluded.contains($0.className()) }
    }
  }
}

extension ObjectSchema {
  /// This class and another declaration of it as one: the properties of both by all their names; nil when they are not
  /// stored alike.
  fileprivate func joined(_ other: ObjectSchema) -> ObjectSchema? {
    guard kind == other.kind, primaryKeyProperty?.columnName == other.primaryKeyProperty?.columnName,
      storedColumns == other.storedColumns
    else { return nil }
    var result = self
    for property in other.properties {
      guard let known = self[property.name] else {
        result.properties.append(property)
        continue
      }
      guard known.columnName == property.columnName else { return nil }
    }
    return result
  }

  private var storedColumns: Set<Property> {
    Set(
      properties.filter { $0.type != .linkingObjects }.map { property in
        var column = property
        column.name = property.columnName
        return column
      })
  }
}
