import DataModel
import Synchronization
import RecordStore

/// The schema of a realm's model classes: the given ones and those that they link to.
///
/// Classes with the same stored name and the same stored properties share a table, also when their names in code
/// differ.
struct ModelSchema: Sendable {
  /// One class per stored name, with the properties of all model classes of that name.
  let schema: Schema
  /// Whether there are classes whose objects are only sent.
  let hasAsymmetricClasses: Bool
  /// The catalog that fitted last.
  private let fitting = Fitting()

  private final class Fitting: Sendable {
    let catalog = Mutex<Catalog?>(nil)
  }

  /// The schemas so far, by their classes, as a program opens realms of the same classes many times.
  private static let known = Mutex<[[ObjectIdentifier]: ModelSchema]>([:])

  /// The schema of a configuration's object types, made once for each array of types.
  static func of(_ types: [ObjectBase.Type]) -> ModelSchema {
    let question = types.map { ObjectIdentifier($0) }
    if let model = known.withLock({ $0[question] }) { return model }
    let model = ModelSchema(types, isClosed: true)
    known.withLock { $0[question] = model }
    return model
  }

  /// - Parameter isClosed: whether a link to a class that is not among the types stops the program.
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
    hasAsymmetricClasses = schema.objectSchema.contains { $0.kind == .asymmetric }
    do { try schema.validate() } catch { violated("The model classes do not form a schema: \(error)") }
  }

  /// Whether the catalog is the one that fitted last: with all classes as they are declared, and no other fields.
  func fits(_ catalog: Catalog) -> Bool { fitting.catalog.withLock { $0 === catalog } }

  func note(fitting catalog: Catalog) { fitting.catalog.withLock { $0 = catalog } }

  /// The classes of the program, for a realm without object types, and `others`.
  ///
  /// Classes that share a name and differ in properties are left out, and so are the classes that link to them. Each is
  /// added to a realm at its first use.
  ///
  /// - Parameter includesAsymmetric: whether classes whose objects are only sent belong to the realm.
  static func ofProgram(with others: [ObjectBase.Type] = [], includesAsymmetric: Bool) -> ModelSchema {
    let types =
      ModelClasses.all.filter { !$0.isPermissionClass && (includesAsymmetric || $0.kind != .asymmetric) } + others
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
  /// Both declarations of one class in one, with the properties of both; nil when their stored properties differ.
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
