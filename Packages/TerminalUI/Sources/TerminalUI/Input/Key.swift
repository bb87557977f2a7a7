/// A key, with the modifiers held while it was pressed.
///
///     switch key {
///     case .up, .character("k"): …
///     case .control("c"): …
///     default: …
///     }
public struct Key: Equatable, Hashable, Sendable {
  /// The key pressed.
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
    /// The bits of the modifiers.
    public let rawValue: UInt8
    /// Modifiers by their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The Shift key.
    public static let shift = Modifiers(rawValue: 1)
    /// The Alt or Meta key.
    public static let alt = Modifiers(rawValue: 2)
    /// The Ctrl key.
    public static let control = Modifiers(rawValue: 4)
  }

  /// The key itself.
  public var code: Code
  /// The keys held with it.
  public var modifiers: Modifiers

  /// A key.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// A character without modifiers.
  public static func character(_ character: Character) -> Key { Key(.character(character)) }
  /// A letter with Ctrl, given in lower case.
  public static func control(_ character: Character) -> Key { Key(.character(character), .control) }
  /// A character with Alt.
  public static func alt(_ character: Character) -> Key { Key(.character(character), .alt) }
  /// A function key, F1 to F24.
  public static func function(_ number: Int) -> Key { Key(.function(number)) }

  /// Enter or Return.
  public static let enter = Key(.enter)
  /// Tab.
  public static let tab = Key(.tab)
  /// Shift-Tab.
  public static let backTab = Key(.tab, .shift)
  /// Backspace.
  public static let backspace = Key(.backspace)
  /// Delete.
  public static let delete = Key(.delete)
  /// Insert.
  public static let insert = Key(.insert)
  /// Escape.
  public static let escape = Key(.escape)
  /// Arrow up.
  public static let up = Key(.up)
  /// Arrow down.
  public static let down = Key(.down)
  /// Arrow left.
  public static let left = Key(.left)
  /// Arrow right.
  public static let right = Key(.right)
  /// Home.
  public static let home = Key(.home)
  /// End.
  public static let end = Key(.end)
  /// Page Up.
  public static let pageUp = Key(.pageUp)
  /// Page Down.
  public static let pageDown = Key(.pageDown)
  /// The space bar.
  public static let space = Key.character(" ")
}
