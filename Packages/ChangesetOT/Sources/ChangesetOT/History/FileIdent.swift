/// The number of one client's copy of a server file, unique within that server file.
///
/// 1 is the server's own file, clients start at 2. 0 means "none", or "this file" inside a client's own history.
public struct FileIdent: RawRepresentable, Hashable, Sendable, Comparable {
  /// The number; decimal text on the wire.
  public var rawValue: UInt64
  /// The ident with this number.
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  /// The ident with this number.
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  /// No file, or the file itself inside its own history.
  public static let none = FileIdent(0)
  /// The server's own file.
  public static let server = FileIdent(1)

  /// The order of allocation; decides between origins of equal time.
  public static func < (left: FileIdent, right: FileIdent) -> Bool { left.rawValue < right.rawValue }
}

/// A file ident and the random salt that the server allocated with it. An impostor or a restored copy has another salt.
public struct SaltedFileIdent: Hashable, Sendable {
  /// The ident.
  public var ident: FileIdent
  /// 1 … 2^63-1; 0 when the ident is none.
  public var salt: Int64

  /// An ident with its salt.
  public init(ident: FileIdent, salt: Int64) {
    self.ident = ident
    self.salt = salt
  }

  /// No ident yet.
  public static let none = SaltedFileIdent(ident: .none, salt: 0)
}
