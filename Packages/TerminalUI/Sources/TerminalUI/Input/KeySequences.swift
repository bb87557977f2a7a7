/// The sequences that terminals of the xterm family, tmux, screen, rxvt and the Linux console send for keys.
enum KeySequences {
  /// After ESC O.
  static func single(_ final: UInt8) -> Key? {
    switch final {
    case 0x50...0x53: .function(Int(final) - 0x4F)
    case 0x4D: .enter
    default: arrow(final).map { Key($0) }
    }
  }

  /// After ESC [: parameters and the final byte.
  static func event(parameters: [UInt8], final: UInt8) -> InputEvent? {
    if parameters.first == 0x3C { return mouse(parameters.dropFirst(), final) }
    // Answers to questions, such as ESC [ ? 1 ; 2 c, begin with another character than a digit.
    guard parameters.allSatisfy({ (0x30...0x3B).contains($0) }) else { return nil }
    let numbers = numbers(parameters[...])
    let modifiers = numbers.count > 1 ? modifiers(numbers[1]) : []
    switch final {
    case 0x7E: return tilde(numbers.first ?? 0).map { .key(Key($0, modifiers)) }
    case 0x5A: return .key(.backTab)
    case 0x50...0x53: return .key(Key(.function(Int(final) - 0x4F), modifiers))
    case 0x61...0x64: return arrow(final - 0x20).map { .key(Key($0, .shift)) }
    case 0x75:
      guard let scalar = Unicode.Scalar(UInt32(max(0, numbers.first ?? 0))), scalar.value >= 0x20 else { return nil }
      return .key(Key(.character(Character(scalar)), modifiers))
    default: return arrow(final).map { .key(Key($0, modifiers)) }
    }
  }

  private static func arrow(_ final: UInt8) -> Key.Code? {
    switch final {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x48: .home
    case 0x46: .end
    default: nil
    }
  }

  private static func tilde(_ number: Int) -> Key.Code? {
    switch number {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case 11...15: .function(number - 10)
    case 17...21: .function(number - 11)
    case 23...26: .function(number - 12)
    case 28, 29: .function(number - 13)
    case 31...34: .function(number - 14)
    default: nil
    }
  }

  private static func modifiers(_ number: Int) -> Key.Modifiers {
    Key.Modifiers(rawValue: UInt8(max(0, min(16, number) - 1)) & 7)
  }

  /// `b;x;y` with M for a press and m for a release; wheels are buttons 64 and 65.
  private static func mouse(_ parameters: ArraySlice<UInt8>, _ final: UInt8) -> InputEvent? {
    let numbers = numbers(parameters)
    guard numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else { return nil }
    let position = Point(row: numbers[2] - 1, column: numbers[1] - 1)
    switch (numbers[0], final) {
    case (64, 0x4D): return .mouse(Mouse(.wheelUp, at: position))
    case (65, 0x4D): return .mouse(Mouse(.wheelDown, at: position))
    case (0...2, 0x4D): return .mouse(Mouse(.press, at: position))
    case (0...2, 0x6D): return .mouse(Mouse(.release, at: position))
    default: return nil
    }
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int] {
    bytes.split(separator: 0x3B, omittingEmptySubsequences: false).map { digits in
      digits.reduce(0) { (0x30...0x39).contains($1) ? min(99_999, $0 * 10 + Int($1) - 0x30) : $0 }
    }
  }
}
