import ChangesetOT
import StorageEngine

/// The numbers that the names of classes and fields have in a changeset, by the tables and columns that they name.
///
/// Objects of one class follow each other mostly, with their fields in one order: what was asked for last tells what is
/// asked for next.
struct RecordedNames {
  private var table: (id: TableID, name: InternedString)?
  private var fields: [(table: TableID, column: ColumnID, name: InternedString)] = []
  /// The position in ``fields`` at which the next field is expected.
  private var next = 0

  /// Fields that are remembered; further ones are looked up by their text.
  private static let limit = 32
  /// Fields that most transactions of an application do not exceed.
  private static let usual = 8

  /// The name of a class; defines it when it is new.
  mutating func name(of layout: ClassLayout, in writer: inout ChangesetWriter) -> InternedString {
    if let table, table.id == layout.table { return table.name }
    let name = writer.intern(layout.name)
    table = (layout.table, name)
    return name
  }

  /// The name of a field of a class; defines it when it is new.
  mutating func name(
    of field: FieldLayout, in layout: ClassLayout, _ writer: inout ChangesetWriter
  ) -> InternedString {
    for offset in 0..<fields.count {
      let place = next + offset < fields.count ? next + offset : next + offset - fields.count
      let known = fields[place]
      guard known.column == field.column, known.table == layout.table else { continue }
      next = place + 1
      return known.name
    }
    let name = writer.intern(field.name)
    if fields.isEmpty { fields.reserveCapacity(Self.usual) }
    if fields.count < Self.limit { fields.append((layout.table, field.column, name)) }
    next = fields.count
    return name
  }
}
