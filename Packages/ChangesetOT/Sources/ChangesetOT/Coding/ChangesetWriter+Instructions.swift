public import DataModel

// One method per instruction. The strings of a record are interned before it, since no definition may stand inside a
// record.

extension ChangesetWriter {
  /// Writes the declaration of a class; an embedded class has no key column.
  public mutating func addTable(_ table: InternedString, kind: ObjectKind, primaryKey: PrimaryKeyColumn?) {
    let field = kind == .embedded ? nil : intern(primaryKey?.field ?? "")
    begin(.addTable)
    write(table)
    body.writeVarint(kind.rawValue)
    guard let field else { return }
    write(field)
    body.writeVarint((primaryKey?.type ?? .global).rawValue)
    write(primaryKey?.isNullable ?? false)
  }

  /// Writes the erasure of a class.
  public mutating func eraseTable(_ table: InternedString) {
    begin(.eraseTable)
    write(table)
  }

  /// Writes the creation of an object.
  public mutating func createObject(_ table: InternedString, _ key: ObjectKey) {
    prepare(key)
    begin(.createObject)
    write(table)
    write(key)
  }

  /// Writes the erasure of an object.
  public mutating func eraseObject(_ table: InternedString, _ key: ObjectKey) {
    prepare(key)
    begin(.eraseObject)
    write(table)
    write(key)
  }

  /// Writes the update of a field, an element or a key.
  ///
  /// - Parameter priorSize: the size of the list just before; used exactly when the path ends in an index.
  public mutating func update(
    _ table: InternedString, _ key: ObjectKey, _ field: InternedString, path: [PathElement] = [], payload: Payload,
    isDefault: Bool = false, priorSize: UInt32 = 0
  ) {
    begin(.update, table, key, field, path, payload)
    write(payload)
    if case .index = path.last { body.writeVarint(priorSize) } else { write(isDefault) }
  }

  /// Writes an addition to an integer.
  public mutating func addInteger(
    _ table: InternedString, _ key: ObjectKey, _ field: InternedString, path: [PathElement] = [], amount: Int64
  ) {
    begin(.addInteger, table, key, field, path, nil)
    body.writeVarint(amount)
  }

  /// Writes the declaration of a field.
  ///
  /// - Parameters:
  ///   - type: nil for mixed.
  ///   - linkTarget: the class linked to, for links; the empty string for links to any class.
  public mutating func addColumn(
    _ table: InternedString, _ field: InternedString, type: PayloadType?, isNullable: Bool,
    collection: CollectionKind, linkTarget: String? = nil
  ) {
    let target = type == .link ? intern(linkTarget ?? "") : nil
    begin(.addColumn)
    write(table)
    write(field)
    body.writeVarint((type ?? .null).rawValue)
    write(isNullable)
    body.writeVarint(collection.rawValue)
    if let target { write(target) }
    if collection == .dictionary { body.writeVarint(PayloadType.string.rawValue) }
  }

  /// Writes the erasure of a field.
  public mutating func eraseColumn(_ table: InternedString, _ field: InternedString) {
    begin(.eraseColumn)
    write(table)
    write(field)
  }

  /// Writes the insertion of a list element.
  ///
  /// - Precondition: `path` ends in an index.
  public mutating func arrayInsert(
    _ table: InternedString, _ key: ObjectKey, _ field: InternedString, path: [PathElement], payload: Payload,
    priorSize: UInt32
  ) {
    begin(.arrayInsert, table, key, field, path, payload)
    write(payload)
    body.writeVarint(priorSize)
  }

  /// Writes the move of a list element.
  ///
  /// - Precondition: `path` ends in an index.
  public mutating func arrayMove(
    _ table: InternedString, _ key: ObjectKey, _ field: InternedString, path: [PathElement], destination: UInt32,
    priorSize: UInt32
  ) {
    begin(.arrayMove, table, key, field, path, nil)
    body.writeVarint(destination)
    body.writeVarint(priorSize)
  }

  /// Writes the removal of a list element.
  ///
  /// - Precondition: `path` ends in an index.
  public mutating func arrayErase(
    _ table: InternedString, _ key: ObjectKey, _ field: InternedString, path: [PathElement], priorSize: UInt32
  ) {
    begin(.arrayErase, table, key, field, path, nil)
    body.writeVarint(priorSize)
  }

  /// Writes the clear of a collection.
  public mutating func clear(
    _ table: InternedString, _ key: ObjectKey, _ field: InternedString, path: [PathElement] = [],
    collection: CollectionKind
  ) {
    begin(.clear, table, key, field, path, nil)
    body.writeVarint(collection.rawValue)
  }

  /// Writes the addition of a set member.
  public mutating func setInsert(
    _ table: InternedString, _ key: ObjectKey, _ field: InternedString, path: [PathElement] = [], payload: Payload
  ) {
    begin(.setInsert, table, key, field, path, payload)
    write(payload)
  }

  /// Writes the removal of a set member.
  public mutating func setErase(
    _ table: InternedString, _ key: ObjectKey, _ field: InternedString, path: [PathElement] = [], payload: Payload
  ) {
    begin(.setErase, table, key, field, path, payload)
    write(payload)
  }

  /// Writes an instruction.
  public mutating func append(_ instruction: Instruction) {
    switch instruction {
    case .addTable(let it): addTable(intern(it.table), kind: it.kind, primaryKey: it.primaryKey)
    case .eraseTable(let it): eraseTable(intern(it.table))
    case .createObject(let it): createObject(intern(it.object.className), it.object.key)
    case .eraseObject(let it): eraseObject(intern(it.object.className), it.object.key)
    case .update(let it):
      let (table, field) = names(it.target)
      update(
        table, it.target.object.key, field, path: it.target.path, payload: it.payload, isDefault: it.isDefault,
        priorSize: it.priorSize ?? 0)
    case .addInteger(let it):
      let (table, field) = names(it.target)
      addInteger(table, it.target.object.key, field, path: it.target.path, amount: it.amount)
    case .addColumn(let it):
      let table = intern(it.table)
      addColumn(
        table, intern(it.field), type: it.type, isNullable: it.isNullable, collection: it.collection,
        linkTarget: it.linkTarget)
    case .eraseColumn(let it):
      let table = intern(it.table)
      eraseColumn(table, intern(it.field))
    case .arrayInsert(let it):
      let (table, field) = names(it.target)
      arrayInsert(
        table, it.target.object.key, field, path: it.target.path, payload: it.payload, priorSize: it.priorSize)
    case .arrayMove(let it):
      let (table, field) = names(it.target)
      arrayMove(
        table, it.target.object.key, field, path: it.target.path, destination: it.destination,
        priorSize: it.priorSize)
    case .arrayErase(let it):
      let (table, field) = names(it.target)
      arrayErase(table, it.target.object.key, field, path: it.target.path, priorSize: it.priorSize)
    case .clear(let it):
      let (table, field) = names(it.target)
      clear(table, it.target.object.key, field, path: it.target.path, collection: it.collection)
    case .setInsert(let it):
      let (table, field) = names(it.target)
      setInsert(table, it.target.object.key, field, path: it.target.path, payload: it.payload)
    case .setErase(let it):
      let (table, field) = names(it.target)
      setErase(table, it.target.object.key, field, path: it.target.path, payload: it.payload)
    }
  }

  /// Interns the strings of a target in the order of the record: class, key, field.
  private mutating func names(_ target: Target) -> (InternedString, InternedString) {
    let table = intern(target.object.className)
    prepare(target.object.key)
    return (table, intern(target.field))
  }
}
