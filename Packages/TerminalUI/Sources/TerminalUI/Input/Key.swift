/// A key, with the modifiers held while it was pressed.
///
///     switch key {
///     case .up, .character("k"): …
///     case .control("c"): …
///     default: …
///     }
public struct Key: Equatable, Hashable, Sendable {
  /// What was pressed.
  public enum Code: Equatable, Hashable, Sendable {
    /// A character, one scalar as typed. A combining one belongs to the character before it.
    case character(Character)
    case enter, tab, backspace, delete, insert, escape
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 to F24.
    case function(Int)
  }

  /// Held keys. Terminals report them for few keys: Shift-Tab, Ctrl with letters, Alt as a prefix, arrows.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let shift = Modifiers(rawValue: 1)
    public static let alt = Modifiers(rawValue: 2)
    public static let control = Modifiers(rawValue: 4)
  }

  public var code: Code
  public var modifiers: Modifiers

  /// A key.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  /// A letter with Ctrl, given in lower case.
  public static func control(_ character: Character) -> Key { Key(.character(character), .control) }
  /// A character with Alt.
  public static func alt(_ character: Character) -> Key { Key(.character(character), .alt) }
  public static func function(_ number: Int) -> Key { Key(.function(number)) }

  public static let enter = Key(.enter)
  public static let tab = Key(.tab)
  public static let backTab = Key(.tab, .shift)
  public static let backspace = Key(.backspace)
  public static let delete = Key(.delete)
  public static let insert = Key(.insert)
  public static let escape = Key(.escape)
  public static let up = Key(.up)
  public static let down = Key(.down)
  public static let left = Key(.left)
  public static let right = Key(.right)
  public static let home = Key(.home)
  public static let end = Key(.end)
  public static let pageUp = Key(.pageUp)
  public static let pageDown = Key(.pageDown)
  public static let space = Key.character(" ")
}
