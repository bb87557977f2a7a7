/// A colour of the terminal's palette. Terminals with fewer colours show the nearest of their first eight.
public struct Color: Equatable, Hashable, Sendable {
  /// The index, 0 to 255: 0 to 7 are the plain colours, 8 to 15 their bright forms.
  public var index: UInt8

  /// A colour by its index.
  public init(_ index: UInt8) { self.index = index }

  /// Palette colour 0.
  public static let black = Color(0)
  /// Palette colour 1.
  public static let red = Color(1)
  /// Palette colour 2.
  public static let green = Color(2)
  /// Palette colour 3.
  public static let yellow = Color(3)
  /// Palette colour 4.
  public static let blue = Color(4)
  /// Palette colour 5.
  public static let purple = Color(5)
  /// Palette colour 6.
  public static let cyan = Color(6)
  /// Palette colour 7.
  public static let white = Color(7)
}

/// The look of a cell, besides its character. nil colours are the terminal's own.
///
///     Style.plain.bold.foreground(.red)
public struct Style: Equatable, Hashable, Sendable {
  /// Weights and lines.
  public struct Attributes: OptionSet, Hashable, Sendable {
    /// The bits of the attributes.
    public let rawValue: UInt8
    /// Attributes by their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Heavier letters.
    public static let bold = Attributes(rawValue: 1)
    /// Fainter letters.
    public static let dim = Attributes(rawValue: 2)
    /// A line below.
    public static let underline = Attributes(rawValue: 4)
    /// Text and background colours swapped.
    public static let reverse = Attributes(rawValue: 8)
    /// Slanted letters.
    public static let italic = Attributes(rawValue: 16)
  }

  /// The colour of the text.
  public var foreground: Color?
  /// The colour behind the text.
  public var background: Color?
  /// Weights and lines.
  public var attributes: Attributes

  /// A style.
  public init(foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The style without anything.
  public static let plain = Style()
  /// Bold, and plain otherwise.
  public static let bold = Style(attributes: .bold)
  /// Dim, and plain otherwise.
  public static let dim = Style(attributes: .dim)
  /// Reversed, and plain otherwise.
  public static let reverse = Style(attributes: .reverse)

  /// The style in bold.
  public var bold: Style { adding(.bold) }
  /// The style, dimmed.
  public var dim: Style { adding(.dim) }
  /// The style, underlined.
  public var underline: Style { adding(.underline) }
  /// The style, reversed.
  public var reverse: Style { adding(.reverse) }

  /// The style with more attributes.
  public func adding(_ attributes: Attributes) -> Style {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }

  /// The style with another text colour.
  public func foreground(_ color: Color?) -> Style {
    var style = self
    style.foreground = color
    return style
  }

  /// The style with another background.
  public func background(_ color: Color?) -> Style {
    var style = self
    style.background = color
    return style
  }
}
