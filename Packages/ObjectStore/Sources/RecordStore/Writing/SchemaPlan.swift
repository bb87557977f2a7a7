import ChangesetOT
import DataModel

/// The changes that make a file fit the classes of a program.
package struct SchemaPlan {
  /// Classes that the file does not have.
  package var newClasses: [ObjectSchema] = []
  /// Properties that classes of the file do not have.
  package var newProperties: [(className: String, property: Property)] = []
  /// Fields of the file that their class does not declare any more.
  package var oldFields: [(className: String, field: String)] = []
  /// Properties whose fields are of another type, with the reason in words.
  package var changedProperties: [(className: String, property: Property, reason: String)] = []
  /// Classes whose primary key is another.
  package var changedKeys: [(className: String, reason: String)] = []
  /// Properties whose index must be made or dropped.
  package var indexes: [(className: String, property: Property)] = []

  /// Whether data must be looked at: anything but new classes and indexes.
  package var needsMigration: Bool {
    !newProperties.isEmpty || !oldFields.isEmpty || !changedProperties.isEmpty || !changedKeys.isEmpty
  }
  /// Whether something that a replicated file cannot do would have to happen.
  package var isDestructive: Bool { !changedProperties.isEmpty || !changedKeys.isEmpty }
  package var isEmpty: Bool { !needsMigration && newClasses.isEmpty && indexes.isEmpty }

  /// Nothing.
  package init() {}

  package init(_ schema: Schema, _ catalog: Catalog) {
    for object in schema.objectSchema {
      guard let layout = catalog[object.className] else {
        newClasses.append(object)
        continue
      }
      compare(object, layout)
    }
  }

  /// Whether a class lies in a file as a program declares it, whatever else the file's class has.
  package static func fits(_ object: ObjectSchema, _ layout: ClassLayout) -> Bool {
    layout.kind == object.kind && object.primaryKeyProperty?.columnName == layout.keyField?.name
      && object.properties.allSatisfy { property in
        guard property.type != .linkingObjects else { return true }
        return layout.field(property.columnName).map { difference(property, $0, object.className) == nil } ?? false
      }
  }

  private mutating func compare(_ object: ObjectSchema, _ layout: ClassLayout) {
    let name = object.className
    let key = object.primaryKeyProperty?.columnName
    if layout.kind != object.kind {
      changedKeys.append((name, "Class '\(name)' has become \(object.kind == .embedded ? "embedded" : "top-level")."))
    } else if key != layout.keyField?.name {
      changedKeys.append((name, "Primary key of class '\(name)' has changed."))
    }
    var declared: Set<String> = []
    for property in object.properties where property.type != .linkingObjects {
      guard declared.insert(property.columnName).inserted else { continue }
      guard let field = layout.field(property.columnName) else {
        newProperties.append((name, property))
        continue
      }
      if let reason = Self.difference(property, field, name) {
        changedProperties.append((name, property, reason))
      } else if (field.index != nil) != property.isIndexed, property.columnName != key {
        indexes.append((name, property))
      }
    }
    for field in layout.fields where !declared.contains(field.name) { oldFields.append((name, field.name)) }
  }

  private static func difference(_ property: Property, _ field: FieldLayout, _ className: String) -> String? {
    var place: String { "Property '\(className).\(property.name)'" }
    if field.type != property.type || field.collection != property.collection {
      return
        "\(place) has been changed from '\(field.collection) \(field.type)' to '\(property.collection) \(property.type)'."
    }
    if property.type == .object, field.target != property.objectClassName {
      return "\(place) links to '\(property.objectClassName ?? "")' now, not to '\(field.target ?? "")'."
    }
    if property.type != .object, property.type != .any, field.isNullable != property.isOptional {
      return "\(place) has been made \(property.isOptional ? "optional" : "required")."
    }
    return nil
  }

  /// The changes in words.
  package var description: String {
    var lines = destructions
    lines += newProperties.map { "Property '\($0.className).\($0.property.name)' has been added." }
    lines += oldFields.map { "Property '\($0.className).\($0.field)' has been removed." }
    lines += newClasses.map { "Class '\($0.className)' has been added." }
    return Self.list(lines)
  }

  /// The changes that a replicated file cannot do, in words.
  package var destruction: String { Self.list(destructions) }

  private var destructions: [String] { changedKeys.map(\.reason) + changedProperties.map(\.reason) }

  private static func list(_ lines: [String]) -> String { lines.map { "- " + $0 }.joined(separator: "\n") }
}

extension StoreWriter {
  /// Adds the classes, properties and indexes of a plan.
  package func addWhatIsNew(_ plan: SchemaPlan) throws {
    for object in plan.newClasses {
      _ = try addClass(object.className, kind: object.kind, key: object.keyColumn)
    }
    for object in plan.newClasses {
      for property in object.properties where property.type != .linkingObjects {
        // The key came with the class; a column that two classes of the program share, with the first of them.
        if catalog[object.className]?.field(property.columnName) == nil {
          try addProperty(property, to: object.className)
        }
      }
    }
    for (className, property) in plan.newProperties { try addProperty(property, to: className) }
    for (className, property) in plan.indexes {
      guard let layout = catalog[className], let field = layout.field(property.columnName) else { continue }
      try setIndexed(property.isIndexed, field, of: layout)
    }
  }

  package func addProperty(_ property: Property, to className: String) throws {
    guard let layout = catalog[className] else { return }
    let changed = try addField(property.declaration, to: layout)
    guard property.isIndexed, let field = changed.field(property.columnName) else { return }
    try setIndexed(true, field, of: changed)
  }
}

extension Property {
  package var declaration: FieldDeclaration {
    let isLinkSlot = type == .object && (collection == .single || collection == .dictionary)
    return FieldDeclaration(
      name: columnName, type: type, collection: collection, isNullable: isOptional || isLinkSlot || type == .any,
      target: type == .object ? objectClassName ?? "" : nil)
  }
}

extension ObjectSchema {
  /// The key as AddTable declares it; nil for embedded classes.
  package var keyColumn: PrimaryKeyColumn? {
    guard kind != .embedded else { return nil }
    guard let property = primaryKeyProperty else { return PrimaryKeyColumn(field: "", type: .global) }
    let type: ObjectKeyType =
      switch property.type {
      case .string: .string
      case .objectId: .objectId
      case .UUID: .uuid
      default: .int
      }
    return PrimaryKeyColumn(field: property.columnName, type: type, isNullable: property.isOptional)
  }
}
