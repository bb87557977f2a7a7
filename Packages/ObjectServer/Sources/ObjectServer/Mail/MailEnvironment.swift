/// The parts of mail that an environment gives: the way out, a folder, a key.
public struct MailEnvironment: Sendable {
  /// Sends messages.
  public var transport: any MailTransport
  /// The folder of messages and accounts that wait.
  public var folder: String
  /// The key of the secrets in links, 32 bytes.
  public var key: [UInt8]

  /// An environment with all its parts.
  public init(transport: any MailTransport, folder: String, key: [UInt8]) {
    self.transport = transport
    self.folder = folder
    self.key = key
  }
}

extension EmbeddedServer {
  /// Mail over this data directory; called when the directory is open.
  ///
  /// - Throws: ``ServerError/Code/badKey`` when the key of the directory cannot be read.
  public func mail(over transport: any MailTransport) throws(ServerError) -> MailEnvironment {
    MailEnvironment(
      transport: transport, folder: layout.mail, key: try DirectoryKey.load(from: layout.keys, isSealed: true).bytes)
  }
}
