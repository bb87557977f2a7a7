import DataModel

/// Gives classes, fields and objects of one merge small numbers, so that "same object" is a comparison of integers.
struct Names {
  private struct Pair: Hashable {
    var owner: Int
    var name: ExactString
  }

  private struct Key: Hashable {
    var table: Int
    var key: ObjectKey
    /// The text of a string key, compared by its bytes.
    var text: ExactString?
  }

  private var tables: [ExactString: Int] = [:]
  private var columns: [Pair: Int] = [:]
  private var objects: [Key: Int] = [:]

  mutating func table(_ name: String) -> Int {
    Self.number(of: ExactString(name), in: &tables)
  }

  mutating func column(_ table: Int, _ field: String) -> Int {
    Self.number(of: Pair(owner: table, name: ExactString(field)), in: &columns)
  }

  mutating func object(_ table: Int, _ key: ObjectKey) -> Int {
    if case .string(let text) = key {
      return Self.number(of: Key(table: table, key: .null, text: ExactString(text)), in: &objects)
    }
    return Self.number(of: Key(table: table, key: key, text: nil), in: &objects)
  }

  /// Whether an object was named before.
  func knows(_ reference: ObjectReference) -> Bool {
    guard let table = tables[ExactString(reference.className)] else { return false }
    if case .string(let text) = reference.key {
      return objects[Key(table: table, key: .null, text: ExactString(text))] != nil
    }
    return objects[Key(table: table, key: reference.key, text: nil)] != nil
  }

  private static func number<Name: Hashable>(of name: Name, in numbers: inout [Name: Int]) -> Int {
    if let number = numbers[name] { return number }
    let number = numbers.count
    numbers[name] = number
    return number
  }
}

/// Which class, object and field an instruction addresses, as numbers of ``Names``; -1 where it addresses none.
struct Address: Equatable {
  var table: Int
  var object = -1
  var column = -1

  func isSameObject(as other: Address) -> Bool { object >= 0 && object == other.object }
  func isSameField(as other: Address) -> Bool { isSameObject(as: other) && column == other.column }
  func isSameColumn(as other: Address) -> Bool { column >= 0 && column == other.column }
}

extension Names {
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

  private mutating func address(of reference: ObjectReference) -> Address {
    let table = table(reference.className)
    return Address(table: table, object: object(table, reference.key))
  }

  private mutating func address(of target: Target) -> Address {
    var address = address(of: target.object)
    address.column = column(address.table, target.field)
    return address
  }
}
