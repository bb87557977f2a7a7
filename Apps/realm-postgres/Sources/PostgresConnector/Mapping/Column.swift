import ByteCoding
import DataModel
import RecordStore

/// A property in a column.
struct Column: Sendable {
  enum Form: Hashable, Sendable {
    /// One value of the property's type.
    case scalar
    /// The primary key of another object, of this type.
    case link(className: String, PropertyType)
    /// JSON.
    case json
    /// An array of single values.
    case array
  }

  let property: Property
  let name: String
  let sqlType: String
  let form: Form
  /// The class of the property, for messages.
  let className: String
  let json: ItemJSON

  /// The text of a value; nil for NULL.
  ///
  /// - Throws: ``Unfit``
  func text(_ item: StateDump.Item) throws -> String? {
    do {
      switch (form, item) {
      case (.json, .value(.null)): return nil
      case (.json, _): return try json.json(item, property).text
      case (.array, .list(let items)):
        return ArrayText.text(
          try items.map { item in
            guard case .value(let value) = item else { throw Unfit("an array holds single values") }
            return try ScalarText.text(value)
          })
      case (.scalar, .value(let value)), (.link, .value(let value)): return try ScalarText.text(value)
      default: throw Unfit("the value has another form")
      }
    } catch let error as Unfit {
      throw Unfit("\(className).\(property.name): \(error)")
    }
  }

  /// The value of a text; nil is NULL.
  ///
  /// - Throws: ``Unfit``
  func item(_ text: String?) throws -> StateDump.Item {
    do {
      guard let text else {
        switch property.collection {
        case .single:
          guard property.isOptional else { throw Unfit("NULL does not fit, the property is required") }
          return .value(.null)
        case .list: return .list([])
        case .set: return .set([])
        case .dictionary: return .dictionary([:])
        }
      }
      switch form {
      case .scalar: return .value(try ScalarText.value(text, property.type, sqlType: sqlType))
      case .link(let target, let type):
        return .value(.link(ObjectReference(className: target, key: try ScalarText.key(text, type, sqlType: sqlType))))
      case .json: return try json.item(try parsed(text), property)
      case .array:
        guard let elements = ArrayText.elements(text) else { throw Unfit("an array of arrays does not fit") }
        return .list(
          try elements.map { element in
            guard let element else {
              guard property.isOptional else { throw Unfit("NULL does not fit, elements are required") }
              return .value(.null)
            }
            return .value(try ScalarText.value(element, property.type))
          })
      }
    } catch let error as Unfit {
      throw Unfit("\(className).\(property.name): \(error)")
    }
  }

  private func parsed(_ text: String) throws -> JSONValue {
    do { return try JSONValue(parsing: text) } catch { throw Unfit("it is no JSON: \(error)") }
  }
}

extension StateDump.Item {
  /// The value in the precision that a table keeps, and with NaN equal to itself: equal for what is the same on both sides.
  var comparable: StateDump.Item {
    switch self {
    case .value(.timestamp(let time)): .value(.timestamp(TimeText.rounded(time)))
    case .value(.double(let number)) where number.isNaN: .value(.string("NaN"))
    case .value(.float(let number)) where number.isNaN: .value(.string("NaN"))
    case .list(let items): .list(items.map(\.comparable))
    case .embedded(let fields): .embedded(fields.mapValues(\.comparable))
    case .dictionary(let entries): .dictionary(entries.mapValues(\.comparable))
    case .value, .set: self
    }
  }
}
