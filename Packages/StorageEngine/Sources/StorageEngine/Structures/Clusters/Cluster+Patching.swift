// A cluster of which few rows changed is written as a patch: the cells that differ from a whole node. One changed cell
// then costs its own bytes, not those of its row and its 255 neighbours.
//
//     kind, full node (varint), patched slots (32 bytes), those of them that live (32 bytes), and if any does:
//     a cluster whose slots 0, 1, … are the live ones among them, coded like any other, with the columns that changed;
//     with all columns when one of these rows is not in the whole node
//
// Patches do not build on patches: each names the whole node and all differences from it.
extension Cluster {
  /// Changed rows beyond which the whole cluster is written.
  static let patchLimit = 32

  private var patchedCount: Int {
    patched[0].nonzeroBitCount + patched[1].nonzeroBitCount + patched[2].nonzeroBitCount + patched[3].nonzeroBitCount
  }

  /// Whether few rows changed since ``fullNode``.
  var isPatchable: Bool {
    let count = patchedCount
    return fullNode != 0 && count <= Self.patchLimit && count * 4 <= rowCount
  }

  private var shapes: [ColumnShape] {
    (0..<columnCount).filter { columns[$0].isPresent }.map {
      ColumnShape(id: $0, type: columns[$0].type, isNullable: false)
    }
  }

  func encodedPatch() -> NodeWriter {
    var writer = NodeWriter(.clusterPatch, capacity: 1024)
    writer.count(Int(fullNode))
    var live = (patched[0] & alive[0], patched[1] & alive[1], patched[2] & alive[2], patched[3] & alive[3])
    writer.raw(UnsafeRawBufferPointer(start: patched, count: 32))
    withUnsafeBytes(of: &live) { writer.raw($0) }
    withUnsafeTemporaryAllocation(of: Int.self, capacity: patchedCount) { slots in
      var count = 0
      for word in 0..<4 {
        forEachBit(patched[word] & alive[word]) { bit in
          slots[count] = word << 6 | bit
          count += 1
        }
      }
      if count > 0 { encode(rows: UnsafeBufferPointer(rebasing: slots[..<count]), into: &writer) }
    }
    return writer
  }

  /// Decodes a patch into the cluster that it describes.
  static func decodePatch(_ content: [UInt8], id: Int64, loader: NodeLoader) throws -> Cluster {
    try content.withUnsafeBytes { bytes in
      var reader = NodeReader(bytes, node: id)
      _ = try reader.byte()
      let full = try reader.nodeID()
      guard full > 0, full < id else { throw reader.damage("it patches an impossible node") }
      let whole = try loader.node(full, Cluster.self)
      guard whole.fullNode == full else { throw reader.damage("it patches a patch") }
      let cluster = whole.copy(shapes: whole.shapes)
      for word in 0..<4 { cluster.patched[word] = try reader.fixed() }
      try cluster.apply(&reader, id: id, loader: loader)
      cluster.node = id
      cluster.fullNode = full
      cluster.replacedNodes = ClusterNodes()
      cluster.computeStatistics()
      return cluster
    }
  }

  private func apply(_ reader: inout NodeReader, id: Int64, loader: NodeLoader) throws {
    var slots: [Int] = []
    var isInserted = false
    for word in 0..<4 {
      let live: UInt64 = try reader.fixed()
      isInserted = isInserted || live & ~alive[word] != 0
      forEachBit(patched[word] & ~live) { clearRow(word << 6 | $0) }
      forEachBit(live) { slots.append(word << 6 | $0) }
      alive[word] |= live
    }
    guard !slots.isEmpty else { return try reader.finish() }
    guard try reader.byte() == NodeKind.cluster.rawValue else { throw reader.damage("it holds no rows") }
    let rows = try Cluster.decode(&reader, id: id, loader: loader)
    guard rows.index == index, rows.rowCount == slots.count, rows.isAlive(slots.count - 1) else {
      throw reader.damage("its rows do not fit")
    }
    for number in 0..<columnCount where columns[number].isPresent {
      guard let column = rows.column(ColumnID(number)) else {
        guard !isInserted else { throw reader.damage("a row of it lacks cells") }
        continue
      }
      guard column.typeCode == columns[number].typeCode else { throw reader.damage("its columns do not fit") }
      patchedColumns |= Self.bit(of: number)
      columns[number].hasStatistics = false
      for (at, slot) in slots.enumerated() { take(column, at, to: slot, number) }
    }
  }

  /// Copies a cell of a column of the same type.
  private func take(_ source: ClusterColumn, _ from: Int, to slot: Int, _ number: Int) {
    let bit: UInt64 = 1 << UInt64(slot & 63)
    takeCell(columns + number, number, slot, source, from)
    let isNull = source.nulls[from >> 6] >> UInt64(from & 63) & 1 != 0
    if isNull { columns[number].nulls[slot >> 6] |= bit } else { columns[number].nulls[slot >> 6] &= ~bit }
  }

  private func takeCell(
    _ target: UnsafeMutablePointer<ClusterColumn>, _ number: Int, _ slot: Int,
    _ source: ClusterColumn, _ from: Int
  ) {
    func copy(_ width: Int, _ offset: Int = 0) {
      (target.pointee.values + offset + slot * width)
        .copyMemory(from: source.values + offset + from * width, byteCount: width)
    }
    switch target.pointee.type {
    case .int, .link, .double: copy(8)
    case .float: copy(4)
    case .timestamp:
      copy(8)
      copy(4, 2048)
    case .objectId: copy(12)
    case .uuid, .decimal128: copy(16)
    case .bool:
      let value = source.values.assumingMemoryBound(to: UInt64.self)[from >> 6] >> UInt64(from & 63) & 1
      let words = target.pointee.values.assumingMemoryBound(to: UInt64.self)
      let bit: UInt64 = 1 << UInt64(slot & 63)
      if value != 0 { words[slot >> 6] |= bit } else { words[slot >> 6] &= ~bit }
    case .string, .data, .mixed, .list, .map:
      let range = source.values.assumingMemoryBound(to: HeapRange.self)[from]
      guard let heap = source.heap else {
        return setBytes(UnsafeRawBufferPointer(start: nil, count: 0), number, slot)
      }
      let bytes = UnsafeRawBufferPointer(start: heap + Int(range.start), count: Int(range.length & 0x7FFF_FFFF))
      setBytes(bytes, number, slot, isExternal: range.isExternal)
    }
  }
}
