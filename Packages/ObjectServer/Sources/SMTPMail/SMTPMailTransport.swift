import CCurl
public import ObjectServer
public import Telemetry

/// Sends messages to a mail server by SMTP, with libcurl.
///
///     let mail = SMTPMailTransport(url: "smtp://mail.example.org:587", user: "realm", password: Redacted(secret))
///     try mail.send(message)
///
/// TLS is required, by STARTTLS for `smtp` and at once for `smtps`, unless `allowsPlainText` says otherwise.
public struct SMTPMailTransport: MailTransport {
  private let url: String
  private let user: String?
  private let password: Redacted<String>?
  private let authority: String?
  private let allowsPlainText: Bool

  /// The longest time for one message.
  public static let timeoutInSeconds = 60

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// A transport.
  ///
  /// - Parameters:
  ///   - url: `smtp://host:port` or `smtps://host:port`.
  ///   - user: the name to log in with; nil for a server that asks for none.
  ///   - authority: a PEM file with the authorities to trust; nil for the system's.
  ///   - allowsPlainText: whether a server without TLS is accepted, on the own machine for example.
  public init(
    url: String, user: String? = nil, password: Redacted<String>? = nil, authority: String? = nil,
    allowsPlainText: Bool = false
  ) {
    self.url = url
    self.user = user
    self.password = password
    self.authority = authority
    self.allowsPlainText = allowsPlainText
  }

  /// Sends one message. Blocks, at most ``timeoutInSeconds``.
  ///
  /// - Throws: ``MailError``; permanent when the server refused the message for good.
  public func send(_ message: MailMessage) throws(MailError) {
    guard Self.isReady, let curl = curl_easy_init() else { throw MailError("libcurl cannot be set up") }
    defer { curl_easy_cleanup(curl) }
    let recipients = curl_slist_append(nil, message.recipient)
    defer { curl_slist_free_all(recipients) }
    openrealm_curl_set_text(curl, CURLOPT_URL, url)
    openrealm_curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "smtp,smtps")
    openrealm_curl_set_number(curl, CURLOPT_NOSIGNAL, 1)
    openrealm_curl_set_number(curl, CURLOPT_TIMEOUT, Self.timeoutInSeconds)
    openrealm_curl_set_number(curl, CURLOPT_USE_SSL, Int((allowsPlainText ? CURLUSESSL_TRY : CURLUSESSL_ALL).rawValue))
    if let authority { openrealm_curl_set_text(curl, CURLOPT_CAINFO, authority) }
    if let user {
      openrealm_curl_set_text(curl, CURLOPT_USERNAME, user)
      openrealm_curl_set_text(curl, CURLOPT_PASSWORD, password?.unredacted ?? "")
    }
    openrealm_curl_set_text(curl, CURLOPT_MAIL_FROM, message.sender)
    openrealm_curl_set_list(curl, CURLOPT_MAIL_RCPT, recipients)
    let bytes = message.encoded
    let (result, code) = bytes.withUnsafeBytes { buffer -> (CURLcode, Int) in
      var body = openrealm_curl_body(
        bytes: buffer.baseAddress?.assumingMemoryBound(to: CChar.self), count: buffer.count)
      return withUnsafeMutablePointer(to: &body) { body in
        openrealm_curl_set_body(curl, body)
        return (curl_easy_perform(curl), openrealm_curl_response_code(curl))
      }
    }
    guard result != CURLE_OK else { return }
    let reason = curl_easy_strerror(result).map { String(cString: $0) } ?? "unknown"
    // A refused login is a wrong setting, which may be mended; a refused recipient stays refused.
    let isPermanent = (500..<600).contains(code) && result != CURLE_LOGIN_DENIED && result != CURLE_USE_SSL_FAILED
    throw MailError(code >= 400 ? "\(reason) (the mail server answered \(code))" : reason, isPermanent: isPermanent)
  }
}
