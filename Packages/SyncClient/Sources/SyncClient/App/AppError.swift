import AuthClient
public import Foundation
import Transport

/// The failure of a call to the server of an ``App``: the code that RealmSwift documents, a message and a remedy.
///
///     do { try await app.login(credentials: credentials) }
///     catch let error as AppError where error.code == .invalidPassword { ask() }
public struct AppError: Error, Sendable, CustomStringConvertible, LocalizedError, CustomNSError {
  /// The documented code.
  public var code: Code
  /// The failure, for people.
  public var message: String
  /// The reader's next step, beginning with a verb; empty when there is none.
  public var remedy: String
  /// The HTTP status of the answer; nil without an answer.
  public var httpStatusCode: Int?

  /// An error of a call.
  init(_ code: Code, _ message: String, remedy: String = "", status: Int? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
    httpStatusCode = status
  }

  /// The error of `AuthClient` in the terms of apps.
  init(_ error: AuthError) {
    self.init(Self.code(of: error), error.message, remedy: error.remedy, status: error.status)
  }

  /// Message and remedy.
  public var description: String { remedy.isEmpty ? message : "\(message); \(remedy)" }
  /// The failure, for people.
  public var errorDescription: String? { message }
  /// The domain of these errors as `NSError`.
  public static var errorDomain: String { "io.realm.app" }
  /// The number of the code.
  public var errorCode: Int { code.rawValue }
  /// The message, and the HTTP status where there is one.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: message]
    info["HTTP Status Code"] = httpStatusCode
    return info
  }

  /// Does work whose errors are told in the terms of apps.
  static func mapping<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch { throw told(error) }
  }

  /// Does work whose errors are told in the terms of apps.
  static func mapping<Value>(
    isolation: isolated (any Actor)? = #isolation, _ work: () async throws -> Value
  ) async throws -> Value {
    do { return try await work() } catch { throw told(error) }
  }

  private static func told(_ error: any Error) -> any Error {
    switch error {
    case let error as AuthError: AppError(error)
    case let error as TransportError:
      AppError(.invalidParameter, "\(error)", remedy: "use a base URL such as http://host:9080")
    default: error
    }
  }
}
