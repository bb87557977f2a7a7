/// A colour of the terminal's palette. Terminals with fewer colours show the nearest of their first eight.
public struct Color: Equatable, Hashable, Sendable {
  /// The index, 0 to 255: 0 to 7 are the plain colours, 8 to 15 their bright forms.
  public var index: UInt8

  /// A colour by its index.
  public init(_ index: UInt8) { self.index = index }

  public static let black = Color(0)
  public static let red = Color(1)
  public static let green = Color(2)
  public static let yellow = Color(3)
  public static let blue = Color(4)
  public static let purple = Color(5)
  public static let cyan = Color(6)
  public static let white = Color(7)
}

/// How a cell looks, besides its character. nil colours are the terminal's own.
///
///     Style.plain.bold.foreground(.red)
public struct Style: Equatable, Hashable, Sendable {
  /// Weights and lines.
  public struct Attributes: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let bold = Attributes(rawValue: 1)
    public static let dim = Attributes(rawValue: 2)
    public static let underline = Attributes(rawValue: 4)
    public static let reverse = Attributes(rawValue: 8)
    public static let italic = Attributes(rawValue: 16)
  }

  public var foreground: Color?
  public var background: Color?
  public var attributes: Attributes

  /// A style.
  public init(foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
  }

  /// The style without anything.
  public static let plain = Style()
  public static let bold = Style(attributes: .bold)
  public static let dim = Style(attributes: .dim)
  public static let reverse = Style(attributes: .reverse)

  public var bold: Style { adding(.bold) }
  public var dim: Style { adding(.dim) }
  public var underline: Style { adding(.underline) }
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
