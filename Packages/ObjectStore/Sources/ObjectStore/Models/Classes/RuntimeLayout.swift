@_spi(Reflection) import Swift

/// The facts on which access by address relies, as this compiler and its runtime have them. The language promises none
/// of them, so they are checked once per process, before the first model class is used.
struct RuntimeLayout: Sendable {
  /// The offset of the state in an object, in bytes, by reflection; nil when reflection does not find it.
  var state: Int?
  /// The offset of the number in wrappers of several types of values, in bytes.
  var numbers: [Int?]
  /// The offset of the owner in wrappers of several types of values, in bytes.
  var owners: [Int?]
  /// Whether the reference of no object is a word of zeros.
  var isNilZero: Bool
  /// Whether metadata has its descriptor at offset 40, and a descriptor its accessor at 12 and its superclass at 20.
  var isMetadataKnown: Bool

  /// The layout of this process.
  static var current: RuntimeLayout {
    RuntimeLayout(
      state: stateOffset,
      numbers: [
        MemoryLayout<Persisted<Bool>>.offset(of: \.number), MemoryLayout<Persisted<Int?>>.offset(of: \.number),
        MemoryLayout<Persisted<String>>.offset(of: \.number), MemoryLayout<Persisted<List<Int>>>.offset(of: \.number),
      ],
      owners: [
        MemoryLayout<Persisted<Bool>>.offset(of: \.owner), MemoryLayout<Persisted<Int?>>.offset(of: \.owner),
        MemoryLayout<Persisted<String>>.offset(of: \.owner), MemoryLayout<Persisted<List<Int>>>.offset(of: \.owner),
      ],
      isNilZero: withUnsafeBytes(of: AnyObject?.none) { $0.count == 8 && $0.allSatisfy { $0 == 0 } },
      isMetadataKnown: MetadataScanner.isLayoutKnown)
  }

  /// The facts that do not hold, each as a sentence.
  var violations: [String] {
    var violations: [String] = []
    if state != 16 || ObjectState.offset != 16 {
      violations.append("The state of an object does not lie behind two words.")
    }
    if !numbers.allSatisfy({ $0 == 0 }) { violations.append("The number of a property is not its first field.") }
    if !owners.allSatisfy({ $0 == 8 }) { violations.append("The owner of a property is not its second word.") }
    if !isNilZero { violations.append("The reference of no object is not a word of zeros.") }
    if !isMetadataKnown { violations.append("The metadata of classes has another form.") }
    return violations
  }

  /// Stops the program unless every fact holds. The first call compares, later ones cost a load.
  static func check() { _ = checked }

  private static let checked: Void = {
    let violations = current.violations
    rule(
      violations.isEmpty,
      "This Swift runtime lays out classes in another way than OpenRealm knows. \(violations.joined(separator: " "))")
  }()

  private static var stateOffset: Int? {
    var found: Int?
    _ = _forEachField(of: ObjectBase.self, options: _EachFieldOptions(rawValue: 1)) { _, offset, type, _ in
      if type == ObjectState.self { found = offset }
      return true
    }
    return found
  }
}
