import DataModel
import FoundationEssentials

/// Names, paths, constants and shapes.
extension QueryPrinter {
  mutating func write(_ path: QueryPath) {
    for (position, element) in path.elements.enumerated() {
      switch element.step {
      case .index(let index): append("[\(index)]")
      case .last: append("[LAST]")
      case .all: append("[*]")
      case .key(let key):
        append("[")
        write(string: key)
        append("]")
      case .argument(let index): append("[$\(index)]")
      case .keyPathArgument(let index): append("$K\(index)")
      case .name(let name):
        if position > 0 { append(".") }
        write(name: name)
      case .keys: append(position > 0 ? ".@keys" : "@keys")
      case .values: append(position > 0 ? ".@values" : "@values")
      case .allBacklinks: append(position > 0 ? ".@links" : "@links")
      case .backlinks(let className, let property):
        append(position > 0 ? ".@links." : "@links.")
        write(name: className)
        append(".")
        write(name: property)
      }
    }
  }

  /// A name with its blanks escaped.
  mutating func write(name: String) {
    guard Self.isWritable(name) else {
      refuse(name)
      return append(name)
    }
    for scalar in name.unicodeScalars {
      switch scalar {
      case " ": append("\\ ")
      case "\n": append("\\n")
      case "\r": append("\\r")
      case "\t": append("\\t")
      default: append(String(scalar))
      }
    }
  }

  /// Whether a name reads back as itself.
  static func isWritable(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    func isEscaped(_ byte: UInt8) -> Bool { [0x20, 0x0A, 0x0D, 0x09].contains(byte) }
    guard let first = bytes.first, Lexer.startsIdentifier(first),
      bytes.allSatisfy({ Lexer.continuesIdentifier($0) || isEscaped($0) })
    else { return false }
    if let keyword = Keyword(name, dialect: .realm), !keyword.mayBeName { return false }
    if ["inf", "infinity", "nan"].contains(name.lowercased()) { return false }
    let rest = bytes.dropFirst()
    if first == UInt8(ascii: "O"), !rest.isEmpty, rest.allSatisfy(Lexer.isDigit) { return false }
    if first == UInt8(ascii: "$") {
      let digits = rest.first == UInt8(ascii: "K") ? rest.dropFirst() : rest
      if !digits.isEmpty, digits.allSatisfy(Lexer.isDigit) { return false }
    }
    return true
  }

  mutating func write(_ constant: QueryConstant) {
    switch constant {
    case .null: append("NULL")
    case .bool(let value): append(value ? "true" : "false")
    case .int(let value): append("\(value)")
    case .double(let value, let digits): append(Self.text(of: value, digits: digits))
    case .float(let value): append(value.isFinite ? "\(value)f" : Self.text(of: Double(value), digits: nil))
    case .decimal(let value): append(Self.text(of: value))
    case .string(let value): write(string: value)
    case .data(let bytes):
      append("binary(")
      if let text = String(validating: bytes, as: UTF8.self), Self.isPlain(text) {
        append("\"\(text)\"")
      } else {
        append("B64\"\(Data(bytes).base64EncodedString())\"")
      }
      append(")")
    case .timestamp(let value): append("T\(value.seconds):\(value.nanoseconds)")
    case .objectId(let value): append("oid(\(value.stringValue))")
    case .uuid(let value): append("uuid(\(value.uuidString.lowercased()))")
    case .object(let reference):
      append("obj(")
      write(string: reference.className)
      append(", ")
      if let key = reference.key.value.flatMap({ QueryConstant($0) }) {
        write(key)
      } else {
        refuse("\(reference)")
        append(reference.key.description)
      }
      append(")")
    case .objectWithArgument(let className, let argument):
      append("obj(")
      write(string: className)
      append(", $\(argument))")
    }
  }

  /// The shortest digits that read back, unless those written say more than a double keeps.
  static func text(of value: Double, digits: String?) -> String {
    let shortest = value.description
    guard let digits, let written = Decimal128(validating: digits), let kept = Decimal128(validating: shortest),
      written.compare(kept) != 0
    else { return shortest }
    return digits
  }

  /// The digits, as the literal that they are read back as is printed: whole numbers without a point, others like
  /// doubles.
  static func text(of value: Decimal128) -> String {
    guard value.isFinite else { return value.isNaN ? "nan" : value.isNegative ? "-inf" : "inf" }
    if let whole = whole(value) { return "\(whole)" }
    let digits = value.description
    return text(
      of: value.doubleValue, digits: digits.contains(where: { $0 == "." || $0 == "E" }) ? digits : digits + ".0")
  }

  /// The value as an integer; nil when it is none or does not fit.
  private static func whole(_ value: Decimal128) -> Int64? {
    guard let whole = Int64(exactly: value.doubleValue.rounded()), Decimal128(whole).compare(value) == 0 else {
      return Int64(value.description)
    }
    return whole
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\\")
    }
  }

  mutating func write(string: String) {
    if Self.isPlain(string) {
      append("\"\(string)\"")
    } else {
      append("B64\"\(Data(string.utf8).base64EncodedString())\"")
    }
  }

  // MARK: Shapes

  mutating func write(_ shape: GeoShape) {
    switch shape {
    case .box(let first, let second):
      append("geoBox(")
      write(first)
      append(", ")
      write(second)
    case .circle(let center, let radius):
      append("geoCircle(")
      write(center)
      append(", ")
      write(radius)
    case .polygon(let rings):
      append("geoPolygon(")
      write(rings, separator: ", ") { (printer: inout QueryPrinter, ring) in
        printer.append("{")
        printer.write(ring, separator: ", ") { (printer: inout QueryPrinter, point) in printer.write(point) }
        printer.append("}")
      }
    }
    append(")")
  }

  private mutating func write(_ point: GeoPoint) {
    append("[")
    write(point.longitude)
    append(", ")
    write(point.latitude)
    if let altitude = point.altitude {
      append(", ")
      write(altitude)
    }
    append("]")
  }

  private mutating func write(_ number: GeoNumber) {
    switch number {
    case .value(let value): append(value.description)
    case .argument(let index): append("$\(index)")
    }
  }
}
