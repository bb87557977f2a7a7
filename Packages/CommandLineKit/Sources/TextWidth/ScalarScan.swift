/// The state of ``TextCleaning/line(_:)``: what is shown so far, and what decides about the next scalar.
struct ScalarScan {
  private(set) var shown = String.UnicodeScalarView()
  private var marks = 0

  /// Adds one scalar, as itself or visibly.
  mutating func take(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) {
    guard TextCleaning.isHidden(scalar) else {
      marks = Self.isMark(scalar) ? marks + 1 : 0
      if marks > TextCleaning.markLimit { return show(scalar) }
      return shown.append(scalar)
    }
    guard stays(scalar, before: next) else { return show(scalar) }
    shown.append(scalar)
  }

  private mutating func show(_ scalar: Unicode.Scalar) {
    shown.append(contentsOf: TextCleaning.picture(of: scalar).unicodeScalars)
    // Marks that follow the picture of a mark are shown as well: the run is one.
    if !Self.isMark(scalar) { marks = 0 }
  }

  /// Whether an invisible scalar does its work for a script or an emoji where it stands.
  private func stays(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
    guard let previous = shown.last else { return false }
    switch scalar.value {
    case 0x200C, 0x200D: return Self.isPlain(previous) && next.map(joins) ?? false
    case 0xFE0F where next == "\u{20E3}":
      return "0123456789#*".unicodeScalars.contains(previous) || Self.isPlain(previous)
    case 0xFE00...0xFE0F: return Self.isPlain(previous)
    case 0x180B...0x180D, 0x180F: return (0x1800...0x18AF).contains(previous.value)
    default: return false
    }
  }

  private func joins(_ next: Unicode.Scalar) -> Bool {
    Self.isPlain(next) && !(Self.isMark(next) && marks >= TextCleaning.markLimit)
  }

  /// Whether a scalar is drawn, and can be the neighbour of a joiner.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value == 0xFE0F { return true }
    return !scalar.isASCII && !TextCleaning.isHidden(scalar) && !scalar.properties.isWhitespace
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }
}
