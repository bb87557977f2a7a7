import ByteCoding
import ChangesetOT
import DataModel

/// The earlier state of what one version of a server's history touched: with the present state it tells every past one.
///
///     count, (class, key, existed, count, (field, had, value) …) …
struct VersionInverse: Sendable {
  /// One object that the version touched.
  struct Part: Sendable {
    var object: ObjectReference
    /// Whether the object existed before the version.
    var existed: Bool
    /// What the touched fields held, and all fields when the version erased the object; nil for a field that was not
    /// declared yet.
    var fields: [String: StateDump.Item?] = [:]
  }

  private(set) var parts: [Part] = []

  /// The inverse of instructions that are about to be applied.
  ///
  /// - Complexity: O(*n*) in the size of the touched fields.
  init(of instructions: [Instruction], in readView: ReadView) throws {
    var positions: [ObjectReference: Int] = [:]
    for instruction in instructions {
      guard let object = instruction.object else { continue }
      let layout = readView.catalog[object.className]
      let row = try layout.flatMap { try readView.row(object.key, $0) }
      let position: Int
      if let known = positions[object] {
        position = known
      } else {
        position = parts.count
        positions[object] = position
        parts.append(Part(object: object, existed: row != nil))
      }
      guard let layout, let row else { continue }
      if let name = instruction.target?.field {
        guard parts[position].fields[name] == nil else { continue }
        let item = try layout.field(name).map { try readView.fieldItem(Cell(layout, row, $0)) }
        parts[position].fields.updateValue(item, forKey: name)
      } else if case .eraseObject = instruction {
        for field in layout.fields where parts[position].fields[field.name] == nil {
          parts[position].fields.updateValue(try readView.fieldItem(Cell(layout, row, field)), forKey: field.name)
        }
      }
    }
  }

  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.writeVarint(parts.count)
    for part in parts {
      writer.write(part.object)
      writer.writeByte(part.existed ? 1 : 0)
      writer.writeVarint(part.fields.count)
      for (name, item) in part.fields.sorted(by: { $0.key < $1.key }) {
        writer.writeString(name)
        writer.writeByte(item == nil ? 0 : 1)
        if let item { writer.write(item) }
      }
    }
    return writer.bytes
  }

  init(decoding bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    let count: Int = try reader.readVarint()
    guard count >= 0, count <= bytes.count else { throw ItemDecodingError() }
    for _ in 0..<count {
      var part = Part(object: try reader.readReference(), existed: try reader.readByte() != 0)
      let fields: Int = try reader.readVarint()
      guard fields >= 0, fields <= bytes.count else { throw ItemDecodingError() }
      for _ in 0..<fields {
        let name = try reader.readString()
        part.fields.updateValue(try reader.readByte() == 0 ? nil : try reader.readItem(), forKey: name)
      }
      parts.append(part)
    }
  }
}
