import DataModel

/// Reads the objects of a JSON file, array by array.
final class JSONRecords: RecordReader {
  /// The class of the array that is being read, with the place in it.
  private struct Place {
    var object: ObjectSchema
    var isFirst = true
    var number = 0
  }

  private let source: JSONSource
  private let codec: JSONCodec
  private var reader: JSONReader
  private let isArray: Bool
  private var place: Place?
  private var isFirstMember = true
  /// Whether the member `objects` is being read, and its first member comes next.
  private var isInObjects = false
  private var isFirstObjects = true

  init(_ source: JSONSource, _ classes: Schema) throws {
    self.source = source
    codec = JSONCodec(classes)
    reader = try JSONReader(path: source.path)
    isArray = try reader.isAtArray()
    if isArray { place = Place(object: try object(named: source.arrayClass(classes))) }
  }

  func next() throws -> IncomingRecord? {
    while true {
      if let record = try nextOfArray() { return record }
      guard !isArray, let name = try nextName() else {
        try reader.end()
        return nil
      }
      place = Place(object: try object(named: name))
    }
  }

  /// The next object of the array that is being read; nil when there is none.
  private func nextOfArray() throws -> IncomingRecord? {
    guard var here = place else { return nil }
    guard try reader.nextElement(&here.isFirst) else {
      place = nil
      return nil
    }
    let node = try reader.value()
    var record = IncomingRecord(node, here.object, codec, file: source.path, number: here.number)
    record.offset = reader.offset
    here.number += 1
    place = here
    return record
  }

  /// The name of the next member whose value is an array of objects; nil at the end.
  private func nextName() throws -> String? {
    if isInObjects {
      if let name = try reader.nextMember(&isFirstObjects) { return name }
      isInObjects = false
    }
    while let name = try reader.nextMember(&isFirstMember) {
      switch name {
      case "format", "version", "schemaVersion", "schema": _ = try reader.value()
      case "objects" where try !reader.isAtArray():
        isFirstObjects = true
        if let name = try reader.nextMember(&isFirstObjects) {
          isInObjects = true
          return name
        }
      default: return name
      }
    }
    return nil
  }

  private func object(named name: String) throws -> ObjectSchema {
    let made = InferredName.name(name, limit: InferredName.classLimit)
    guard let object = codec.classes[name] ?? codec.classes[made], object.kind != .embedded else {
      let known = codec.classes.values.filter { $0.kind != .embedded }.map(\.className).sorted().joined(separator: ", ")
      throw reader.failure("there is no class '\(name)' whose objects stand by themselves; there is \(known).")
    }
    return object
  }
}
