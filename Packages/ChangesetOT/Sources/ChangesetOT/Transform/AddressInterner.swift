import DataModel

/// Numbers for the classes, fields and objects of one merge: "the same object" becomes a comparison of integers.
struct AddressInterner {
  private struct ColumnName: Hashable {
    var table: Int
    var name: ExactString
  }

  private struct ObjectName: Hashable {
    var table: Int
    var key: ObjectKey
    /// The text of a string key, compared by its bytes.
    var text: ExactString?

    init(_ table: Int, _ key: ObjectKey) {
      self.table = table
      if case .string(let text) = key {
        (self.key, self.text) = (.null, ExactString(text))
      } else {
        (self.key, text) = (key, nil)
      }
    }
  }

  private var tables: [ExactString: Int] = [:]
  private var columns: [ColumnName: Int] = [:]
  private var objects: [ObjectName: Int] = [:]

  /// The address of an instruction; new names get new numbers.
  mutating func address(of instruction: Instruction) -> Address {
    switch instruction {
    case .addTable(let it): return Address(table: table(it.table))
    case .eraseTable(let it): return Address(table: table(it.table))
    case .addColumn(let it):
      let table = table(it.table)
      return Address(table: table, column: column(table, it.field))
    case .eraseColumn(let it):
      let table = table(it.table)
      return Address(table: table, column: column(table, it.field))
    case .createObject(let it): return address(of: it.object)
    case .eraseObject(let it): return address(of: it.object)
    case .update(let it): return address(of: it.target)
    case .addInteger(let it): return address(of: it.target)
    case .arrayInsert(let it): return address(of: it.target)
    case .arrayMove(let it): return address(of: it.target)
    case .arrayErase(let it): return address(of: it.target)
    case .clear(let it): return address(of: it.target)
    case .setInsert(let it): return address(of: it.target)
    case .setErase(let it): return address(of: it.target)
    }
  }

  /// Whether an object has a number already.
  func knows(_ reference: ObjectReference) -> Bool {
    guard let table = tables[ExactString(reference.className)] else { return false }
    return objects[ObjectName(table, reference.key)] != nil
  }

  private mutating func address(of reference: ObjectReference) -> Address {
    let table = table(reference.className)
    return Address(table: table, object: Self.number(of: ObjectName(table, reference.key), in: &objects))
  }

  private mutating func address(of target: Target) -> Address {
    var address = address(of: target.object)
    address.column = column(address.table, target.field)
    return address
  }

  private mutating func table(_ name: String) -> Int { Self.number(of: ExactString(name), in: &tables) }

  private mutating func column(_ table: Int, _ field: String) -> Int {
    Self.number(of: ColumnName(table: table, name: ExactString(field)), in: &columns)
  }

  private static func number<Name: Hashable>(of name: Name, in numbers: inout [Name: Int]) -> Int {
    if let number = numbers[name] { return number }
    let number = numbers.count
    numbers[name] = number
    return number
  }
}

/// The class, object and field that an instruction addresses, as numbers of an ``AddressInterner``; -1 for none.
struct Address: Equatable {
  var table: Int
  var object = -1
  var column = -1

  func isSameObject(as other: Address) -> Bool { object >= 0 && object == other.object }
  func isSameField(as other: Address) -> Bool { isSameObject(as: other) && column == other.column }
  func isSameColumn(as other: Address) -> Bool { column >= 0 && column == other.column }
}
