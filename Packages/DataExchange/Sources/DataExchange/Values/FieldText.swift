public import DataModel
public import RecordStore

/// The value of a field as the text of a cell, and back: what CSV files hold, and what people type.
///
///     let texts = FieldText(contents.schema)
///     texts.text(dog["born"] ?? .value(.null), born)     // 2026-01-31T00:00:00Z; nil for null
///     try texts.item("true", isGood)                     // .value(.bool(true))
///
/// Scalars and links are plain; lists, sets, dictionaries, embedded objects and mixed values are JSON.
public struct FieldText {
  private let cells: CellText

  /// The texts of the fields of a schema's classes.
  public init(_ schema: Schema) { cells = CellText(codec: JSONCodec(schema)) }

  /// The text of a value; nil for null.
  public func text(_ item: StateDump.Item, _ property: Property) -> String? { cells.text(item, property) }

  /// The value that a text means; nil means null, of a list, set or dictionary the empty one. A mixed value that is no JSON
  /// is the text itself.
  ///
  /// - Throws: ``ExchangeError`` with what the property takes.
  public func item(_ text: String?, _ property: Property) throws -> StateDump.Item {
    if let text, property.type == .any, property.collection == .single, (try? JSONReader.value(of: text)) == nil {
      return .value(.string(text))
    }
    do { return try cells.item(text, property, at: TextPosition(), property.name) } catch let misfit as Misfit {
      throw ExchangeError(misfit.message, place: misfit.place)
    }
  }

  /// The key of an object of a class from its text; nil where the class has no such keys.
  public func key(_ text: String, of className: String) -> ObjectKey? {
    cells.codec.classes[className].flatMap { KeyText.key(text, of: $0) }
  }

  /// The text of a key; `null` for the null key.
  public func text(_ key: ObjectKey) -> String { KeyText.text(key) ?? "null" }
}
