public import DataModel

extension Instruction {
  /// The target of an instruction on a field or a collection; nil for those on classes, columns and whole objects.
  public var target: Target? {
    switch self {
    case .addTable, .eraseTable, .addColumn, .eraseColumn, .createObject, .eraseObject: nil
    case .update(let it): it.target
    case .addInteger(let it): it.target
    case .arrayInsert(let it): it.target
    case .arrayMove(let it): it.target
    case .arrayErase(let it): it.target
    case .clear(let it): it.target
    case .setInsert(let it): it.target
    case .setErase(let it): it.target
    }
  }

  /// The top-level object that the instruction addresses; nil for those on classes and columns.
  public var object: ObjectReference? {
    switch self {
    case .createObject(let it): it.object
    case .eraseObject(let it): it.object
    case .addTable, .eraseTable, .addColumn, .eraseColumn, .update, .addInteger, .arrayInsert, .arrayMove, .arrayErase,
      .clear, .setInsert, .setErase:
      target?.object
    }
  }

  /// Whether the instruction declares or erases a class or a column.
  public var isOfSchema: Bool {
    switch self {
    case .addTable, .eraseTable, .addColumn, .eraseColumn: true
    case .createObject, .eraseObject, .update, .addInteger, .arrayInsert, .arrayMove, .arrayErase, .clear, .setInsert,
      .setErase:
      false
    }
  }

  /// The class that the instruction addresses.
  public var className: String {
    switch self {
    case .addTable(let it): it.table
    case .eraseTable(let it): it.table
    case .addColumn(let it): it.table
    case .eraseColumn(let it): it.table
    case .createObject(let it): it.object.className
    case .eraseObject(let it): it.object.className
    case .update(let it): it.target.object.className
    case .addInteger(let it): it.target.object.className
    case .arrayInsert(let it): it.target.object.className
    case .arrayMove(let it): it.target.object.className
    case .arrayErase(let it): it.target.object.className
    case .clear(let it): it.target.object.className
    case .setInsert(let it): it.target.object.className
    case .setErase(let it): it.target.object.className
    }
  }
}
