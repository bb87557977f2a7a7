import DataModel

/// Some neighbouring rows of a ``MemoryTable`` with their columns laid out as arrays.
final class MemoryCluster: QueryCluster {
  private let table: MemoryTable
  private let rows: Range<Int>
  let slotCount: Int
  let firstRow: QueryRow
  private(set) var liveSlots: UnsafeRawPointer?
  private var columns: [Int: ColumnView] = [:]
  private var buffers: [UnsafeMutableRawPointer] = []

  init(table: MemoryTable, rows: Range<Int>) {
    self.table = table
    self.rows = rows
    slotCount = rows.count * table.slotStride
    firstRow = table.rowKey(rows.lowerBound)
    if table.presentation.hasHoles { liveSlots = bits((0..<slotCount).map { $0 % 2 == 0 }) }
  }

  deinit {
    for buffer in buffers { buffer.deallocate() }
  }

  func value(of property: Int, slot: Int) -> Value {
    resolved(table.rows[rows.lowerBound + slot / table.slotStride][property])
  }

  /// Links to objects that do not exist are null.
  private func resolved(_ value: Value) -> Value {
    switch value {
    case .link(let reference): table.source.row(of: reference) == nil ? .null : value
    case .list(let values): .list(values.map(resolved))
    case .dictionary(let values): .dictionary(values.mapValues(resolved))
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid: value
    }
  }

  func appendLinkedRows(of property: Int, slot: Int, to found: inout [QueryRow]) {
    func row(_ value: Value) -> QueryRow {
      if case .link(let reference) = value { table.source.row(of: reference) ?? .nullRow } else { .nullRow }
    }
    switch value(of: property, slot: slot) {
    case .list(let values): found += values.map(row)
    case .dictionary(let values):
      found += values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { row($0.value) }
    case let value: found.append(row(value))
    }
  }

  func column(_ property: Int) -> ColumnView {
    if let column = columns[property] { return column }
    let column = makeColumn(property)
    columns[property] = column
    return column
  }

  private func makeColumn(_ property: Int) -> ColumnView {
    let declared = table.schema.properties[property]
    guard table.presentation.hasColumns, declared.collection == .single else { return .generic }
    // A slot without a row holds leftovers: here a copy of its neighbour.
    let values = rows.flatMap { row in
      [Value](repeating: resolved(table.rows[row][property]), count: table.slotStride)
    }
    let nulls = values.contains(.null) ? bits(values.map { $0 == .null }) : nil
    if values.allSatisfy({ $0 == .null }), declared.type != .object { return ColumnView(.allNull) }
    switch declared.type {
    case .int: return integers(values.map { if case .int(let value) = $0 { value } else { nil } }, nulls: nulls)
    case .bool: return ColumnView(.bits(bits(values.map { $0 == .bool(true) })), nulls: nulls)
    case .float:
      let numbers = values.map { if case .float(let value) = $0 { value } else { Float(-77) } }
      return ColumnView(.float(buffer(numbers)), nulls: nulls)
    case .double: return doubles(values, nulls: nulls)
    case .string, .data: return byteStrings(values, nulls: nulls)
    case .date:
      let dates = values.map { if case .timestamp(let value) = $0 { value } else { Timestamp(seconds: 5) } }
      let layout = ColumnView.Layout.timestamps(
        seconds: buffer(dates.map(\.seconds)), nanoseconds: buffer(dates.map(\.nanoseconds)))
      return ColumnView(layout, nulls: nulls)
    case .objectId:
      let bytes = values.flatMap { value in
        if case .objectId(let id) = value { id.bytes } else { [UInt8](repeating: 3, count: 12) }
      }
      return ColumnView(.fixed(buffer(bytes), width: 12), nulls: nulls)
    case .UUID:
      let bytes = values.flatMap { value in
        if case .uuid(let id) = value {
          withUnsafeBytes(of: id.uuid) { Array($0) }
        } else {
          [UInt8](repeating: 3, count: 16)
        }
      }
      return ColumnView(.fixed(buffer(bytes), width: 16), nulls: nulls)
    case .object:
      let targets = values.map { value -> QueryRow in
        if case .link(let reference) = value { table.source.row(of: reference) ?? .nullRow } else { .nullRow }
      }
      return ColumnView(.links(buffer(targets)))
    case .any, .decimal128, .linkingObjects: return .generic
    }
  }

  private func integers(_ values: [Int64?], nulls: UnsafeRawPointer?) -> ColumnView {
    let present = values.compactMap(\.self)
    let low = present.min() ?? 0
    let high = present.max() ?? 0
    let bounds = table.presentation.hasBounds ? low...high : nil
    let filled = values.map { $0 ?? low }
    return ColumnView(.int64(buffer(filled)), nulls: nulls, bounds: bounds)
  }

  private func doubles(_ values: [Value], nulls: UnsafeRawPointer?) -> ColumnView {
    let numbers = values.map { if case .double(let value) = $0 { value } else { -77.0 } }
    let present = values.compactMap { if case .double(let value) = $0 { value } else { nil } }
    var bounds: ClosedRange<Double>?
    if table.presentation.hasBounds, !present.contains(where: \.isNaN), let low = present.min(),
      let high = present.max()
    {
      bounds = low...high
    }
    return ColumnView(.double(buffer(numbers)), nulls: nulls, floatingBounds: bounds)
  }

  private func byteStrings(_ values: [Value], nulls: UnsafeRawPointer?) -> ColumnView {
    let texts = values.map { value -> [UInt8] in
      if case .string(let text) = value { Array(text.utf8) } else if case .data(let data) = value { data } else { [] }
    }
    var ranges: [UInt32] = []
    // Texts need not begin at the start of their block.
    var bytes: [UInt8] = table.presentation.hasHeads ? [] : [1, 2, 3, 4, 5]
    for text in texts {
      ranges += [UInt32(bytes.count), UInt32(text.count)]
      bytes += text
    }
    var view = ColumnView(.ranges(buffer(ranges), bytes: buffer(bytes)), nulls: nulls)
    if table.presentation.hasHeads {
      let empty = [[UInt8]](repeating: [], count: 256 - texts.count)
      view.heads = buffer((texts + empty).flatMap { $0.prefix(4) + [UInt8](repeating: 0, count: max(0, 4 - $0.count)) })
    }
    return view
  }

  private func bits(_ flags: [Bool]) -> UnsafeRawPointer {
    var words: [UInt64] = [0, 0, 0, 0]
    for (slot, flag) in flags.enumerated() where flag { words[slot / 64] |= 1 << UInt64(slot % 64) }
    return buffer(words)
  }

  /// A copy that starts at an odd address, to show that alignment is not needed.
  private func buffer<T>(_ values: [T]) -> UnsafeRawPointer {
    let size = values.count * MemoryLayout<T>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size + 17, alignment: 16)
    buffers.append(memory)
    values.withUnsafeBytes { if let base = $0.baseAddress { (memory + 1).copyMemory(from: base, byteCount: size) } }
    return UnsafeRawPointer(memory + 1)
  }
}
