/// One position of the screen. A wide character occupies a cell of width 2 and the empty cell to its right.
public struct Cell: Equatable, Sendable {
  /// The character drawn; a space in the right half of a wide one.
  public var character: Character
  /// Colours and weight.
  public var style: Style
  /// The columns of the character: 1 or 2, and 0 in the right half of a wide character.
  public var width: UInt8

  /// A cell.
  public init(_ character: Character, style: Style = .plain, width: UInt8 = 1) {
    self.character = character
    self.style = style
    self.width = width
  }

  /// A space.
  public static let blank = Cell(" ")

  /// The right half of a wide character.
  static func rightHalf(_ style: Style) -> Cell { Cell(" ", style: style, width: 0) }

  /// Whether the cell is the right half of a wide character.
  public var isRightHalf: Bool { width == 0 }
}
