import DataModel

extension ChangesetReader {
  /// The fields of the instruction with this code; its code is consumed.
  mutating func readInstruction(code: Int64, at start: Int) throws(ChangesetDecodingError) -> Instruction {
    switch code {
    case 0: return .addTable(try addTable())
    case 1: return .eraseTable(EraseTable(table: try internedString()))
    case 2: return .createObject(CreateObject(object: try addressedObject()))
    case 3: return .eraseObject(EraseObject(object: try addressedObject()))
    case 4: return .update(try update())
    case 5:
      let target = try target()
      return .addInteger(AddInteger(target: target, amount: try integer(Int64.self)))
    case 6: return .addColumn(try addColumn())
    case 7:
      let table = try internedString()
      return .eraseColumn(EraseColumn(table: table, field: try internedString()))
    case 8:
      let target = try listTarget()
      let payload = try payload()
      return .arrayInsert(ArrayInsert(target: target, payload: payload, priorSize: try integer(UInt32.self)))
    case 9:
      let target = try listTarget()
      let destination = try integer(UInt32.self)
      return .arrayMove(
        ArrayMove(target: target, destination: destination, priorSize: try integer(UInt32.self)))
    case 10:
      let target = try listTarget()
      return .arrayErase(ArrayErase(target: target, priorSize: try integer(UInt32.self)))
    case 11:
      let target = try target()
      return .clear(Clear(target: target, collection: try collection()))
    case 12:
      let target = try target()
      return .setInsert(SetInsert(target: target, payload: try payload()))
    case 13:
      let target = try target()
      return .setErase(SetErase(target: target, payload: try payload()))
    default:
      throw failure(.unknownInstruction(code: code), at: start)
    }
  }

  private mutating func addTable() throws(ChangesetDecodingError) -> AddTable {
    let table = try internedString()
    let kindPosition = position
    let kindCode = try integer(Int64.self)
    guard let kind = UInt8(exactly: kindCode).flatMap(ObjectKind.init(rawValue:)) else {
      throw failure(.unknownObjectKind(code: kindCode), at: kindPosition)
    }
    guard kind != .embedded else { return AddTable(table: table, kind: kind, primaryKey: nil) }
    let field = try internedString()
    let type = try keyType()
    let key = PrimaryKeyColumn(field: field, type: type, isNullable: try boolean())
    return AddTable(table: table, kind: kind, primaryKey: key)
  }

  private mutating func addColumn() throws(ChangesetDecodingError) -> AddColumn {
    let start = position
    let table = try internedString()
    let field = try internedString()
    let typePosition = position
    let typeCode = try integer(Int64.self)
    guard typeCode >= 0, let type = Int8(exactly: typeCode).flatMap(PayloadType.init(rawValue:)) else {
      throw failure(.unknownPayloadType(code: typeCode), at: typePosition)
    }
    let isNullable = try boolean()
    let collection = try collection()
    let linkTarget: String? = type == .link ? try internedString() : nil
    if collection == .dictionary {
      let keyPosition = position
      let keyCode = try integer(Int64.self)
      guard keyCode == Int64(PayloadType.string.rawValue) else {
        throw failure(.dictionaryKeyNotString(code: keyCode), at: keyPosition)
      }
    }
    guard type != .null || isNullable || collection == .dictionary else {
      throw failure(.mixedColumnNotNullable, at: start)
    }
    return AddColumn(
      table: table, field: field, type: type == .null ? nil : type, isNullable: isNullable, collection: collection,
      linkTarget: linkTarget)
  }

  private mutating func update() throws(ChangesetDecodingError) -> Update {
    let target = try target()
    let payload = try payload()
    if case .index = target.path.last {
      return Update(target: target, payload: payload, priorSize: try integer(UInt32.self))
    }
    return Update(target: target, payload: payload, isDefault: try boolean())
  }

  private mutating func listTarget() throws(ChangesetDecodingError) -> Target {
    let start = position
    let target = try target()
    guard case .index = target.path.last else { throw failure(.missingListIndex, at: start) }
    return target
  }

  private mutating func target() throws(ChangesetDecodingError) -> Target {
    let object = try addressedObject()
    let field = try internedString()
    let start = position
    let count = try integer(UInt32.self)
    guard count > 0 else { return Target(object: object, field: field) }
    guard count <= Self.pathLimit else { throw failure(.pathTooLong(count: count), at: start) }
    var path: [PathElement] = []
    path.reserveCapacity(min(Int(count), input.remaining))
    for _ in 0..<count { path.append(try pathElement()) }
    return Target(object: object, field: field, path: path)
  }

  private mutating func pathElement() throws(ChangesetDecodingError) -> PathElement {
    let start = position
    let number = try integer(Int64.self)
    if number == -1 { return .name(try internedString()) }
    guard let index = UInt32(exactly: number) else { throw failure(.invalidPathElement(number), at: start) }
    return .index(index)
  }

  private mutating func collection() throws(ChangesetDecodingError) -> CollectionKind {
    let start = position
    let code = try integer(Int64.self)
    guard let kind = UInt8(exactly: code).flatMap(CollectionKind.init(rawValue:)) else {
      throw failure(.unknownCollection(code: code), at: start)
    }
    return kind
  }
}
