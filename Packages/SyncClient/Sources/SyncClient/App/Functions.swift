import AuthClient
import ByteCoding

/// The functions of an app, called by their names.
///
///     user.functions.sum([1, 2]) { result in print(result) }
///     let sum = try await user.functions.sum([1, 2])
///
/// Servers of this platform run no functions: calls fail with ``AppError/Code/functionNotFound``, so that an app that has
/// them compiles and says what is missing.
@dynamicMemberLookup public struct Functions: Sendable {
  let user: SyncUser

  /// A function that answers a completion, on a background thread, with either a value or an error.
  public typealias Function =
    @Sendable ([AnyBSON], @escaping @Sendable (AnyBSON?, (any Error)?) -> Void) -> Void
  /// A function that answers a completion, on a background thread, with a result.
  public typealias ResultFunction =
    @Sendable ([AnyBSON], @escaping @Sendable (Result<AnyBSON, any Error>) -> Void) -> Void

  /// The function of a name.
  public subscript(dynamicMember name: String) -> Function {
    { arguments, completion in
      answer({ result in
        switch result {
        case .success(let value): completion(value, nil)
        case .failure(let error): completion(nil, error)
        }
      }) { try await self.call(name, arguments) }
    }
  }

  /// The function of a name.
  public subscript(dynamicMember name: String) -> ResultFunction {
    { arguments, completion in answer(completion) { try await self.call(name, arguments) } }
  }

  /// The function of a name.
  public subscript(dynamicMember name: String) -> FunctionCallable { FunctionCallable(functions: self, name: name) }

  func call(_ name: String, _ arguments: [AnyBSON]) async throws -> AnyBSON {
    let body = JSONValue.object([("arguments", .array(arguments.map(\.json))), ("name", .string(name))])
    return try await AppError.mapping {
      let answer = try await user.auth.callFunction(body: Array(body.text.utf8), by: user.userId)
      guard let value = try? JSONValue(parsing: answer) else {
        throw AppError(.unknown, "the answer of the function '\(name)' is no JSON")
      }
      return AnyBSON(json: value)
    }
  }
}

/// A function of an app, to be called with `await`.
public struct FunctionCallable: Sendable {
  let functions: Functions
  let name: String

  /// Calls the function.
  ///
  /// - Throws: ``AppError`` with ``AppError/Code/functionNotFound`` for a name that the server does not have.
  public func callAsFunction(_ arguments: [AnyBSON]) async throws -> AnyBSON {
    try await functions.call(name, arguments)
  }
}

/// Registers this device for push messages.
public struct PushClient: Sendable {
  let app: App
  let service: String

  /// Registers a device of a user. Completion on a background thread, with the server's refusal.
  public func registerDevice(
    token: String, user: User, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    answer(completion) { try await self.registerDevice(token: token, user: user) }
  }

  /// Registers a device of a user.
  ///
  /// - Throws: ``AppError``: servers of this platform send no push messages.
  public func registerDevice(token: String, user: User) async throws {
    let body = JSONValue.object([("registrationToken", .string(token))])
    try await AppError.mapping {
      try await user.auth.registerForPush(service: service, body: Array(body.text.utf8), by: user.userId)
    }
  }

  /// Ends the registration of a user's device. Completion on a background thread, with the server's refusal.
  public func deregisterDevice(user: User, completion: @escaping @Sendable ((any Error)?) -> Void) {
    answer(completion) { try await self.deregisterDevice(user: user) }
  }

  /// Ends the registration of a user's device.
  ///
  /// - Throws: ``AppError``: servers of this platform send no push messages.
  public func deregisterDevice(user: User) async throws {
    try await AppError.mapping {
      try await user.auth.registerForPush(service: service, body: nil, by: user.userId)
    }
  }
}
