import DataModel
import RecordStore

/// The type of a column of texts, from its values: the narrowest of bool, int, double, date and uuid that reads all of them,
/// else string.
///
/// An empty cell makes the column optional. A number that would come back as another text, such as `007`, `+1` or one of
/// more than 64 bits, leaves its column a string: it is a code rather than a number.
struct ColumnInference {
  private var mayBe: Set<PropertyType> = [.bool, .int, .double, .date, .UUID]
  private var hasValue = false
  private(set) var hasNull = false

  /// Takes the next value; nil for an empty cell. O(length of the text), at most once per type that is left.
  mutating func take(_ text: String?) {
    guard let text else { return hasNull = true }
    hasValue = true
    guard !mayBe.isEmpty else { return }
    for type in mayBe where !Self.reads(text, type) { mayBe.remove(type) }
  }

  /// The type; string for a column without values.
  var type: PropertyType {
    guard hasValue else { return .string }
    return [.bool, .int, .double, .date, .UUID].first { mayBe.contains($0) } ?? .string
  }

  private static func reads(_ text: String, _ type: PropertyType) -> Bool {
    switch type {
    case .bool: text.utf8.count <= 5 && ["true", "false"].contains(text.lowercased())
    case .int: isNumber(text) && ScalarText.value(text, .int) != nil
    case .double: isNumber(text) && ScalarText.value(text, .double) != nil && !isHugeInteger(text)
    case .date: text.utf8.count >= 10 && ScalarText.value(text, .date) != nil
    case .UUID: text.utf8.count == 36 && ScalarText.value(text, .UUID) != nil
    case .string, .data, .float, .object, .any, .linkingObjects, .objectId, .decimal128: false
    }
  }

  /// Whether a text begins as numbers are written: no plus, no zero before another digit.
  private static func isNumber(_ text: String) -> Bool {
    var bytes = text.utf8[...]
    if bytes.first == UInt8(ascii: "-") { bytes.removeFirst() }
    guard let first = bytes.first, (0x30...0x39).contains(first) else {
      return text == "NaN" || text == "Infinity" || text == "-Infinity"
    }
    guard first == 0x30, let second = bytes.dropFirst().first else { return text != "-0" }
    return !(0x30...0x39).contains(second)
  }

  private static func isHugeInteger(_ text: String) -> Bool {
    Int64(text) == nil && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }
}
