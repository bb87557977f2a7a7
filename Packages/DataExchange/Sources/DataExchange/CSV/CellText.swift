import DataModel
import RecordStore

/// The text of a field in a cell of a table, and back; nil is null.
///
/// Scalars and links are plain; collections, embedded objects and mixed values are JSON.
struct CellText {
  let codec: JSONCodec

  func text(_ item: StateDump.Item, _ property: Property) -> String? {
    guard case .value(let value) = item else { return codec.json(item, property) }
    switch value {
    case .null: return nil
    case .link(let reference) where property.objectClassName != nil:
      let text = KeyText.text(reference.key)
      // A text that begins like JSON is written as JSON, so that a reader does not misread it.
      guard let text, !text.hasPrefix("{") else { return "{\"$key\": \(codec.plainKey(reference.key))}" }
      return text
    case .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid, .link, .list,
      .dictionary:
      return property.type == .any || property.type == .object ? codec.mixed(value) : ScalarText.text(value)
    }
  }

  /// Whether cells of the property are JSON.
  func isJSON(_ property: Property) -> Bool {
    if property.collection != .single || property.type == .any { return true }
    guard property.type == .object else { return false }
    return property.objectClassName.map { codec.classes[$0]?.kind == .embedded } ?? true
  }

  /// - Parameter text: nil for null.
  func item(_ text: String?, _ property: Property, at position: TextPosition, _ place: String) throws -> StateDump.Item
  {
    let here = JSONNode(content: text.map { .string($0) } ?? .null, position: position)
    guard let text else { return try null(here, property, place) }
    if isJSON(property) || (property.type == .object && text.hasPrefix("{")) {
      let node: JSONNode
      do { node = try JSONReader.value(of: text) } catch let error as ExchangeError {
        throw Misfit("character \(error.column ?? 1) of the value: \(error.message)", here, place)
      }
      do { return try codec.item(node, property, place) } catch let misfit as Misfit {
        throw Misfit(misfit.message, here, misfit.place)
      }
    }
    if property.type == .object, let target = codec.classes[property.objectClassName ?? ""] {
      guard let key = KeyText.key(text, of: target) else {
        throw Misfit(
          "expected \(KeyText.expectation(target)), the key of an object of class \(target.className), found \(here.summary).",
          here, place)
      }
      return .value(.link(ObjectReference(className: target.className, key: key)))
    }
    guard let value = ScalarText.value(text, property.type) else {
      throw Misfit("expected \(ScalarText.expectation(property.type)), found \(here.summary).", here, place)
    }
    return .value(value)
  }

  private func null(_ here: JSONNode, _ property: Property, _ place: String) throws -> StateDump.Item {
    switch property.collection {
    case .list: return .list([])
    case .set: return .set([])
    case .dictionary: return .dictionary([:])
    case .single:
      // Tables of other programs write an empty text and no text alike.
      if property.type == .string, !property.isOptional { return .value(.string("")) }
      return try codec.item(here, property, place)
    }
  }
}

extension JSONCodec {
  /// A key without its wrapping.
  func plainKey(_ key: ObjectKey) -> String { key == .null ? "null" : json(key) }
}
