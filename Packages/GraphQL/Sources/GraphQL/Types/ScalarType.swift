/// The rules of a scalar: which values arguments may have, and how values are written into responses.
///
///     let date = ScalarType(
///       input: { $0.string.flatMap(isDate) == true ? $0 : nil }, output: { $0 })
///
/// Both functions answer nil for a value that the scalar does not have.
public struct ScalarType: Sendable {
  /// The value of an argument from a literal or a variable; never called for null.
  public var input: @Sendable (GraphQLValue) -> GraphQLValue?
  /// The value to write for one that a resolver returned; never called for null.
  public var output: @Sendable (ResolvedValue) -> ResolvedValue?

  /// The scalars whose variables may stand in its place, since every value of theirs is one of its own: `Int` for an integer
  /// of 64 bits. Such a variable is coerced to its declared type alone. The specification has no such scalars; a client that
  /// validates documents itself refuses them.
  public var widened: Set<String>

  /// A scalar with these rules; by themselves they let every value pass.
  public init(
    widened: Set<String> = [], input: @escaping @Sendable (GraphQLValue) -> GraphQLValue? = { $0 },
    output: @escaping @Sendable (ResolvedValue) -> ResolvedValue? = { $0 }
  ) {
    self.widened = widened
    self.input = input
    self.output = output
  }

  /// `Int`: 32 bits.
  static let int = ScalarType(
    input: { value in
      guard case .int(let int) = value, Int32(exactly: int) != nil else { return wholeInput(value) }
      return value
    },
    output: { value in
      switch value {
      case .int(let int): Int32(exactly: int) == nil ? nil : value
      case .double(let double): Int32(exactly: double).map { .int(Int64($0)) }
      case .bool(let bool): .int(bool ? 1 : 0)
      case .null, .string, .json, .list, .object, .failure, .deferred: nil
      }
    })

  /// A JSON number such as 2.0 is an integer, too.
  private static func wholeInput(_ value: GraphQLValue) -> GraphQLValue? {
    guard case .double(let double) = value else { return nil }
    return Int32(exactly: double).map { .int(Int64($0)) }
  }

  /// `Float`: finite numbers.
  static let float = ScalarType(
    input: { value in
      switch value {
      case .int(let int): .double(Double(int))
      case .double(let double): double.isFinite ? value : nil
      case .null, .bool, .string, .enumeration, .list, .object: nil
      }
    },
    output: { value in
      switch value {
      case .int: value
      case .double(let double): double.isFinite ? value : nil
      case .bool(let bool): .int(bool ? 1 : 0)
      case .null, .string, .json, .list, .object, .failure, .deferred: nil
      }
    })

  /// `String`.
  static let string = ScalarType(
    input: { if case .string = $0 { $0 } else { nil } },
    output: { value in
      switch value {
      case .string: value
      case .bool(let bool): .string(bool ? "true" : "false")
      case .int(let int): .string(String(int))
      case .double(let double): double.isFinite ? .string("\(double)") : nil
      case .null, .json, .list, .object, .failure, .deferred: nil
      }
    })

  /// `Boolean`.
  static let boolean = ScalarType(
    input: { if case .bool = $0 { $0 } else { nil } },
    output: { value in
      switch value {
      case .bool: value
      case .int(let int): .bool(int != 0)
      case .double(let double): double.isFinite ? .bool(double != 0) : nil
      case .null, .string, .json, .list, .object, .failure, .deferred: nil
      }
    })

  /// `ID`: a text; integers become one.
  static let id = ScalarType(
    input: { value in
      switch value {
      case .string: value
      case .int(let int): .string(String(int))
      case .null, .bool, .double, .enumeration, .list, .object: nil
      }
    },
    output: { value in
      switch value {
      case .string: value
      case .int(let int): .string(String(int))
      case .double(let double): Int64(exactly: double).map { .string(String($0)) }
      case .null, .bool, .json, .list, .object, .failure, .deferred: nil
      }
    })
}
