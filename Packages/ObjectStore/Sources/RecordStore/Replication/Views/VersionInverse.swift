import ByteCoding
import ChangesetOT
import DataModel
import StorageEngine

/// The earlier state of what one version of a server's history touched: with the present state it tells every past one.
///
///     count, (class, key, existed, count, (field, its inverse) …) …
struct VersionInverse: Sendable {
  /// One object that the version touched.
  struct Part: Sendable {
    var object: ObjectReference
    /// Whether the object existed before the version.
    var existed: Bool
    /// The earlier content of the touched fields, and all fields when the version erased the object.
    var fields: [String: FieldInverse] = [:]
  }

  private(set) var parts: [Part] = []

  /// The part of an inverse that concerns one object.
  init(_ part: Part) { parts = [part] }

  /// The inverse of instructions that are about to be applied.
  ///
  /// - Complexity: O(*n*) in the instructions and in the values that they replace.
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
        guard let field = layout.field(name) else {
          parts[position].fields[name] = .absent
          continue
        }
        parts[position].fields[name] = try .adding(
          instruction, to: parts[position].fields[name], Cell(layout, row, field), in: readView)
      } else if case .eraseObject = instruction {
        for field in layout.fields {
          parts[position].fields[field.name] = .whole(try readView.fieldItem(Cell(layout, row, field)))
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
        writer.write(item)
      }
    }
    return writer.bytes
  }

  /// - Throws: `StorageError` with code `corrupt`.
  init(decoding bytes: [UInt8]) throws {
    var reader = ByteReader(bytes)
    do { try self.init(reading: &reader) } catch is ByteDecodingError { throw StorageError.damagedInverse }
  }

  /// Reads an inverse; what follows it is left.
  init(reading reader: inout ByteReader) throws {
    for _ in 0..<(try reader.readCount()) {
      var part = Part(object: try reader.readReference(), existed: try reader.readByte() != 0)
      for _ in 0..<(try reader.readCount()) {
        let name = try reader.readString()
        part.fields[name] = try reader.readFieldInverse()
      }
      parts.append(part)
    }
  }
}
