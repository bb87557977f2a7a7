import ChangesetOT
import DataModel
import StorageEngine

/// Writes collections within mixed values so that the recording holds all of them: the marker of the collection first,
/// then what is in it.
struct NestedRecording {
  let writer: StoreWriter

  init(_ writer: StoreWriter) { self.writer = writer }

  /// A single field.
  func replace(
    _ old: StoredValue, by new: StoredValue, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws {
    // A collection that is set to one of its kind would be kept.
    if old.isCollection { try writer.set(.null, field, row, layout) }
    try writer.set(new, field, row, layout)
    try record(inside: new, [], field, row, layout)
  }

  /// An element of a list.
  func put(
    _ value: StoredValue, replacing: Bool, at position: Int, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws {
    if replacing {
      if try writer.frame.list(field, row, layout).element(at: position).isCollection {
        try writer.setElement(.null, at: position, field, row, layout)
      }
      try writer.setElement(value, at: position, field, row, layout)
    } else {
      try writer.insert(value, at: position, field, row, layout)
    }
    try record(inside: value, [.index(UInt32(position))], field, row, layout)
  }

  /// An entry of a dictionary.
  func put(_ value: StoredValue, for key: String, _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout) throws {
    if try writer.frame.map(field, row, layout).value(for: Array(key.utf8))?.isCollection == true {
      try writer.setEntry(.null, for: key, field, row, layout)
    }
    try writer.setEntry(value, for: key, field, row, layout)
    try record(inside: value, [.name(key)], field, row, layout)
  }

  private func record(
    inside value: StoredValue, _ path: [PathElement], _ field: FieldLayout, _ row: RowKey, _ layout: ClassLayout
  ) throws {
    guard let recorder = writer.recorder else { return }
    let frame = writer.frame
    switch value {
    case .list(let elements):
      for (position, element) in elements.enumerated() {
        let place = path + [.index(UInt32(position))]
        guard let target = try frame.target(field, row, layout, place) else { return }
        recorder.append(
          .arrayInsert(
            ArrayInsert(target: target, payload: try frame.payload(element), priorSize: UInt32(position))))
        try record(inside: element, place, field, row, layout)
      }
    case .dictionary(let entries):
      for (key, element) in entries.sorted(by: { $0.key < $1.key }) {
        let place = path + [.name(key)]
        guard let target = try frame.target(field, row, layout, place) else { return }
        recorder.append(.update(Update(target: target, payload: try frame.payload(element))))
        try record(inside: element, place, field, row, layout)
      }
    default: return
    }
  }
}
