/// Turns the bytes that a terminal sends into events: a pure machine that may be fed in pieces of any size.
///
///     bytes   ESC [ 1 ; 5 C        é            ESC [ 2 0 0 ~ … ESC [ 2 0 1 ~
///     event   Ctrl-Right           é            paste
///
/// Invalid UTF-8 and unknown sequences are dropped; no input makes it trap, or remember more than
/// ``pasteLimit`` bytes.
public struct KeyDecoder: Sendable {
  /// The number of bytes kept of one paste.
  public static let pasteLimit = 1 << 20
  static let sequenceLimit = 64

  enum State: Equatable {
    case ground
    case scalar([UInt8], missing: Int)
    case escape
    /// After ESC [, with the bytes since.
    case sequence([UInt8])
    /// After ESC O.
    case single
    /// After ESC [ [, of the Linux console.
    case console
    /// Three bytes of an old mouse report, to be skipped.
    case oldMouse(Int)
    case paste
  }

  private var state = State.ground
  private var pasted: [UInt8] = []
  private var altered = false

  /// A decoder at rest.
  public init() {}

  /// Whether an ESC has arrived that may be the Escape key. When nothing follows, call ``flush()``.
  public var mayBeEscape: Bool { state == .escape }

  /// The meaning of an ESC that nothing follows: the Escape key.
  public mutating func flush() -> [InputEvent] {
    guard state == .escape else { return [] }
    state = .ground
    return [.key(.escape)]
  }

  /// Takes bytes and answers the events that they complete.
  public mutating func decode(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    var events: [InputEvent] = []
    for byte in bytes {
      if let event = take(byte, &events) { events.append(event) }
    }
    return events
  }

  private mutating func take(_ byte: UInt8, _ events: inout [InputEvent]) -> InputEvent? {
    switch state {
    case .ground: return ground(byte)
    case .scalar(let bytes, let missing): return continueScalar(byte, bytes, missing)
    case .escape: return afterEscape(byte, &events)
    case .sequence(let bytes): return continueSequence(byte, bytes)
    case .single:
      state = .ground
      return KeySequences.single(byte).map { .key($0) }
    case .console:
      state = .ground
      return (0x41...0x45).contains(byte) ? .key(.function(Int(byte) - 0x40)) : nil
    case .oldMouse(let missing):
      state = missing > 1 ? .oldMouse(missing - 1) : .ground
      return nil
    case .paste: return continuePaste(byte)
    }
  }

  private mutating func ground(_ byte: UInt8) -> InputEvent? {
    switch byte {
    case 0x1B:
      state = .escape
      return nil
    case 0x09: return key(.tab)
    case 0x0A, 0x0D: return key(.enter)
    case 0x08, 0x7F: return key(.backspace)
    case 0x00: return key(.character(" "), .control)
    case 0x01...0x1A: return key(.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    case 0x20...0x7E: return key(.character(Character(Unicode.Scalar(byte))))
    case 0xC2...0xDF: state = .scalar([byte], missing: 1)
    case 0xE0...0xEF: state = .scalar([byte], missing: 2)
    case 0xF0...0xF4: state = .scalar([byte], missing: 3)
    default: altered = false
    }
    return nil
  }

  private mutating func key(_ code: Key.Code, _ modifiers: Key.Modifiers = []) -> InputEvent {
    defer { altered = false }
    return .key(Key(code, altered ? modifiers.union(.alt) : modifiers))
  }

  private mutating func continueScalar(_ byte: UInt8, _ bytes: [UInt8], _ missing: Int) -> InputEvent? {
    state = .ground
    guard byte & 0xC0 == 0x80 else {
      altered = false
      return ground(byte)
    }
    let bytes = bytes + [byte]
    guard missing == 1 else {
      state = .scalar(bytes, missing: missing - 1)
      return nil
    }
    guard let character = String(validating: bytes, as: UTF8.self)?.first else {
      altered = false
      return nil
    }
    return key(.character(character))
  }

  private mutating func afterEscape(_ byte: UInt8, _ events: inout [InputEvent]) -> InputEvent? {
    switch byte {
    case 0x5B: state = .sequence([])
    case 0x4F: state = .single
    case 0x1B: events.append(.key(.escape))
    default:
      state = .ground
      altered = true
      return ground(byte)
    }
    return nil
  }

  private mutating func continueSequence(_ byte: UInt8, _ bytes: [UInt8]) -> InputEvent? {
    switch byte {
    case 0x1B:
      state = .escape
      return nil
    case 0x5B where bytes.isEmpty: state = .console
    case 0x4D where bytes.isEmpty: state = .oldMouse(3)
    case 0x40...0x7E:
      state = .ground
      if byte == 0x7E, bytes == Array("200".utf8) {
        state = .paste
        pasted = []
        return nil
      }
      return KeySequences.event(parameters: bytes, final: byte)
    case 0x20...0x3F where bytes.count < Self.sequenceLimit: state = .sequence(bytes + [byte])
    default: state = .ground
    }
    return nil
  }

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  private mutating func continuePaste(_ byte: UInt8) -> InputEvent? {
    pasted.append(byte)
    if pasted.count > Self.pasteLimit + Self.pasteEnd.count {
      // Of more than the limit only the last bytes are looked at, for the end.
      pasted.remove(at: Self.pasteLimit)
    }
    guard byte == 0x7E, pasted.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) else { return nil }
    state = .ground
    let text = String(decoding: pasted.dropLast(Self.pasteEnd.count), as: UTF8.self)
    pasted = []
    return .paste(text)
  }
}
