// The codes under the names by which apps catch errors: `catch AppError.invalidPassword`.

extension AppError {
  /// Any other failure.
  public static var unknown: Code { .unknown }
  /// An answer with an HTTP status that has no name, or no answer at all.
  public static var httpRequestFailed: Code { .httpRequestFailed }
  /// The login has ended, or the user is not logged in.
  public static var invalidSession: Code { .invalidSession }
  /// The server does not accept the request.
  public static var badRequest: Code { .badRequest }
  /// There is no such user.
  public static var userNotFound: Code { .userNotFound }
  /// The user is one of another app.
  public static var userAppDomainMismatch: Code { .userAppDomainMismatch }
  /// The server takes no addresses of this domain.
  public static var domainNotAllowed: Code { .domainNotAllowed }
  /// The body is too large.
  public static var readSizeLimitExceeded: Code { .readSizeLimitExceeded }
  /// A value that the server does not accept, such as a password that is too short.
  public static var invalidParameter: Code { .invalidParameter }
  /// A value is missing.
  public static var missingParameter: Code { .missingParameter }
  /// A function failed.
  public static var functionExecutionError: Code { .functionExecutionError }
  /// The server failed.
  public static var internalServerError: Code { .internalServerError }
  /// The server does not offer this way to log in.
  public static var authProviderNotFound: Code { .authProviderNotFound }
  /// There is no such value.
  public static var valueNotFound: Code { .valueNotFound }
  /// There is such a value already.
  public static var valueAlreadyExists: Code { .valueAlreadyExists }
  /// The name is taken.
  public static var valueDuplicateName: Code { .valueDuplicateName }
  /// The server has no function of that name.
  public static var functionNotFound: Code { .functionNotFound }
  /// The function is not written correctly.
  public static var functionSyntaxError: Code { .functionSyntaxError }
  /// The function cannot be run.
  public static var functionInvalid: Code { .functionInvalid }
  /// There is an API key of that name already.
  public static var apiKeyAlreadyExists: Code { .apiKeyAlreadyExists }
  /// The work took too long.
  public static var executionTimeLimitExceeded: Code { .executionTimeLimitExceeded }
  /// The name leads to nothing that can be called.
  public static var notCallable: Code { .notCallable }
  /// The address is confirmed already.
  public static var userAlreadyConfirmed: Code { .userAlreadyConfirmed }
  /// The user may not log in at present.
  public static var userDisabled: Code { .userDisabled }
  /// The credentials are not accepted.
  public static var authError: Code { .authError }
  /// The name is taken by another user.
  public static var accountNameInUse: Code { .accountNameInUse }
  /// Name or password are wrong.
  public static var invalidPassword: Code { .invalidPassword }
  /// The server is being worked on.
  public static var maintenanceInProgress: Code { .maintenanceInProgress }
  /// The database behind the server failed.
  public static var mongoDBError: Code { .mongoDBError }
}
