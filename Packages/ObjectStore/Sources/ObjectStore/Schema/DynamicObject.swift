import DataModel
import StorageEngine

/// An object seen by the stored names of its properties, for classes that a program may not have.
///
///     person["name"] as? String          // "Ada"
///     person.age                          // 36, by dynamic member look-up
///
/// Values arrive as Swift types, links as dynamic objects, collections as arrays and dictionaries. Setting checks name
/// and type, and stops the program when they do not fit.
@dynamicMemberLookup
public final class DynamicObject {
  private enum Source {
    case past(Frame)
    case present(WriteSession)
  }
  private let source: Source
  private let className: String
  let row: RowKey

  init(_ frame: Frame, _ className: String, _ row: RowKey) {
    source = .past(frame)
    self.className = className
    self.row = row
  }

  init(_ session: WriteSession, _ className: String, _ row: RowKey) {
    source = .present(session)
    self.className = className
    self.row = row
  }

  private var frame: Frame {
    switch source {
    case .past(let frame): frame
    case .present(let session): session.writer.frame
    }
  }

  private func layout() -> ClassLayout {
    guard let layout = frame.catalog[className] else { violated("Object type '\(className)' does not exist here.") }
    return layout
  }

  private func field(_ name: String, _ layout: ClassLayout) -> FieldLayout {
    guard let field = layout.field(name) else { violated("Class '\(className)' has no property '\(name)'.") }
    return field
  }

  /// The value of a property.
  public subscript(key: String) -> Any? {
    get {
      let layout = layout()
      let field = field(key, layout)
      return storageMustWork {
        switch field.collection {
        case .single: any(try frame.value(field, row, layout))
        case .list, .set: try frame.elements(field, row, layout).map { any($0) }
        case .dictionary:
          Dictionary(
            try frame.entries(field, row, layout).map { (String(decoding: $0.key, as: UTF8.self), any($0.value)) },
            uniquingKeysWith: { first, _ in first })
        }
      }
    }
    set {
      guard case .present(let session) = source else { violated("An object of the old version cannot be changed.") }
      let layout = layout()
      set(newValue, field(key, layout), layout, session.writer)
    }
  }

  public subscript(dynamicMember member: String) -> Any? {
    get { self[member] }
    set { self[member] = newValue }
  }

  private func any(_ value: StoredValue) -> Any? {
    guard case .link(let table, let target) = value else { return value.literal }
    guard target.rawValue >= 0, let layout = frame.catalog[table] else { return nil }
    switch source {
    case .past(let frame): return DynamicObject(frame, layout.name, target)
    case .present(let session): return DynamicObject(session, layout.name, target)
    }
  }

  private func set(_ value: Any?, _ field: FieldLayout, _ layout: ClassLayout, _ writer: StoreWriter) {
    storageMustWork {
      switch field.collection {
      case .single:
        let stored = stored(value, field, writer)
        if layout.keyField?.column == field.column {
          try writer.write(stored, field, row, layout)
        } else {
          try writer.set(stored, field, row, layout)
        }
      case .list:
        try writer.clearList(field, row, layout)
        try writer.append((value as? [Any] ?? []).map { self.stored($0, field, writer) }, field, row, layout)
      case .set:
        try writer.clearMap(field, row, layout)
        for element in value as? [Any] ?? [] {
          try writer.insertMember(self.stored(element, field, writer), field, row, layout)
        }
      case .dictionary:
        try writer.clearMap(field, row, layout)
        for (key, element) in value as? [String: Any] ?? [:] {
          try writer.setEntry(self.stored(element, field, writer), for: key, field, row, layout)
        }
      }
    }
  }

  private func stored(_ value: Any?, _ field: FieldLayout, _ writer: StoreWriter) -> StoredValue {
    if let object = value as? DynamicObject {
      guard field.type == .object, object.className == field.target, let table = writer.catalog[object.className]?.table
      else { violated("Property '\(className).\(field.name)' does not link to a '\(object.className)'.") }
      return .link(table, object.row)
    }
    guard let stored = StoredValue(literal: value, field) else {
      violated("Invalid value for property '\(className).\(field.name)' of type '\(field.type)'.")
    }
    return stored
  }

  func delete() throws {
    guard case .present(let session) = source else { violated("An object of the old version cannot be deleted.") }
    try session.writer.erase(row, layout(), incoming: .nullify)
  }

  /// Values by stored name from a dictionary or an array in the order of the fields.
  static func values(of value: Any, _ layout: ClassLayout) -> [String: Any] {
    if let values = value as? [String: Any] { return values }
    guard let values = value as? [Any] else { violated("An object is made from a dictionary or an array.") }
    rule(values.count <= layout.fields.count, "Class '\(layout.name)' has only \(layout.fields.count) properties.")
    return Dictionary(zip(layout.fields.map(\.name), values), uniquingKeysWith: { first, _ in first })
  }
}
