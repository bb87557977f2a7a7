/// The code of an instruction in the bytes. Pair rules have the instruction with the higher code on the left.
enum InstructionCode: UInt8, Comparable, Sendable, CaseIterable {
  case addTable = 0
  case eraseTable = 1
  case createObject = 2
  case eraseObject = 3
  case update = 4
  case addInteger = 5
  case addColumn = 6
  case eraseColumn = 7
  case arrayInsert = 8
  case arrayMove = 9
  case arrayErase = 10
  case clear = 11
  case setInsert = 12
  case setErase = 13

  static func < (left: InstructionCode, right: InstructionCode) -> Bool { left.rawValue < right.rawValue }
}

extension Instruction {
  /// The code of the instruction.
  var code: InstructionCode {
    switch self {
    case .addTable: .addTable
    case .eraseTable: .eraseTable
    case .createObject: .createObject
    case .eraseObject: .eraseObject
    case .update: .update
    case .addInteger: .addInteger
    case .addColumn: .addColumn
    case .eraseColumn: .eraseColumn
    case .arrayInsert: .arrayInsert
    case .arrayMove: .arrayMove
    case .arrayErase: .arrayErase
    case .clear: .clear
    case .setInsert: .setInsert
    case .setErase: .setErase
    }
  }
}
