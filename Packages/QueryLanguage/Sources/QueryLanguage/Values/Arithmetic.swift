import DataModel

/// The four operations on single values. Null, and anything that is no number, makes the result null.
enum Arithmetic {
  static func apply(_ operation: ArithmeticOperation, _ left: Value, _ right: Value) -> Value {
    switch (left, right) {
    case (.int(let left), .int(let right)): .int(apply(operation, left, right))
    case (.decimal128, _), (_, .decimal128):
      if let left = left.asDecimal, let right = right.asDecimal {
        .decimal128(apply(operation, left, right))
      } else {
        .null
      }
    case (.double, _), (_, .double):
      if let left = double(left), let right = double(right) { .double(apply(operation, left, right)) } else { .null }
    case (.float(let left), .float(let right)): .float(apply(operation, left, right))
    case (.float(let left), .int(let right)): .float(apply(operation, left, Float(right)))
    case (.int(let left), .float(let right)): .float(apply(operation, Float(left), right))
    default: .null
    }
  }

  static func double(_ value: Value) -> Double? {
    switch value {
    case .int(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .null, .bool, .string, .data, .timestamp, .decimal128, .objectId, .uuid, .link, .list, .dictionary: nil
    }
  }

  /// Integers wrap; division by zero gives the largest integer, or the smallest for a negative dividend.
  private static func apply(_ operation: ArithmeticOperation, _ left: Int64, _ right: Int64) -> Int64 {
    switch operation {
    case .add: left &+ right
    case .subtract: left &- right
    case .multiply: left &* right
    case .divide: right == 0 ? (left < 0 ? .min : .max) : left.dividedReportingOverflow(by: right).partialValue
    }
  }

  private static func apply<T: BinaryFloatingPoint>(_ operation: ArithmeticOperation, _ left: T, _ right: T) -> T {
    switch operation {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    }
  }

  private static func apply(_ operation: ArithmeticOperation, _ left: Decimal128, _ right: Decimal128) -> Decimal128 {
    switch operation {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    }
  }
}
