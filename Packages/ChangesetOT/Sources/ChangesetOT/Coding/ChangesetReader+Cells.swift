import DataModel

extension ChangesetReader {
  /// Reads the next instruction when it sets a field of ``addressed`` to a plain value; nil, without moving, before every
  /// other instruction, malformed or not.
  ///
  ///     while let instruction = try reader.next() {
  ///       perform(instruction)
  ///       while let cell = try reader.nextCell() { set(reader.text(cell.field), cell.value) }
  ///     }
  ///
  /// - Throws: ``ChangesetDecodingError`` for a fault in the string definitions before it.
  /// - Complexity: O(1), and O(*n*) in the bytes of a text or of binary data.
  public mutating func nextCell() throws(ChangesetDecodingError) -> CellUpdate? {
    try passDefinitions()
    let start = position
    // ``next()`` reads the same bytes again and throws the fault.
    guard let cell = try? cellUpdate() else {
      input.goBack(to: start)
      return nil
    }
    passed(start)
    return cell
  }

  /// Moves back before the last cell of ``nextCell()``: ``next()`` then returns it as an instruction.
  public mutating func returnCell() {
    input.goBack(to: instructionPosition)
    instructionCount -= 1
  }

  /// The object that an instruction addressed last; nil at the start.
  public var addressed: ObjectReference? { lastObject?.reference }

  /// Calls `body` with the bytes of a text or of binary data; with none for every other value.
  ///
  /// - Throws: the error of `body`.
  public func withBytes<Result>(
    of cell: CellUpdate, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    switch cell.value {
    case .string(let positions), .data(let positions): try input.withBytes(at: positions, body)
    case .null, .int, .bool, .timestamp, .float, .double, .decimal128, .objectId, .uuid:
      try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }

  private mutating func cellUpdate() throws(ChangesetDecodingError) -> CellUpdate? {
    guard let object = lastObject?.bytes, input.peek() == 4 else { return nil }
    _ = try integer(UInt8.self)
    guard input.skipRepetition(of: object) else { return nil }
    let field = try internedNumber()
    guard try integer(UInt32.self) == 0, let value = try cellValue() else { return nil }
    _ = try boolean()
    return CellUpdate(field: field, value: value)
  }

  private mutating func cellValue() throws(ChangesetDecodingError) -> CellValue? {
    switch PayloadType(rawValue: try integer(Int8.self)) {
    case .null?: return .null
    case .int?: return .int(try integer(Int64.self))
    case .bool?: return .bool(try boolean())
    case .string?:
      do { return .string(try input.passString(limit: Self.valueLimit)) } catch { throw failure(error) }
    case .data?:
      do { return .data(try input.passBytes(limit: Self.valueLimit)) } catch { throw failure(error) }
    case .timestamp?: return .timestamp(try timestamp())
    case .float?: return .float(try littleEndian(UInt32.self))
    case .double?: return .double(try littleEndian(UInt64.self))
    case .decimal128?: return .decimal128(try decimal())
    case .objectId?: return .objectId(try objectId())
    case .uuid?: return .uuid(try uuid())
    case .link?, .objectValue?, .dictionary?, .erased?, .list?, .set?, nil: return nil
    }
  }
}
