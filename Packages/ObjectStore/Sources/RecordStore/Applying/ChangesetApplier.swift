import ChangesetOT
import DataModel
import StorageEngine

/// Applies changesets to a realm file, strictly in order and with every check that the format asks for.
///
/// Honest peers never fail these checks; they catch corruption. When one fails the transaction must be rolled back.
///
/// Checking and applying are one pass: whether an instruction fits depends on those before it in the same transaction, so
/// that a pass of checks alone would have to do to a shadow of the state what applying does to the state. The running
/// transaction is that shadow. Readers, other processes and observers see committed versions only, files are written at
/// the commit, and a rollback forgets everything, row numbers and names of tables included.
struct ChangesetApplier {
  let writer: StoreWriter
  let last = ObjectCursor()
  /// The mixed values that the latest instructions changed inside.
  let dirty = DirtyValues()

  init(writer: StoreWriter) { self.writer = writer }

  /// The most classes and columns that one changeset may declare or erase. Each costs as much as the schema is large; without a
  /// bound a single message could occupy a realm for hours.
  static let schemaLimit = 1 << 14

  /// - Parameter position: the place of the changeset in what was handed in, for errors.
  func apply(_ changeset: Changeset, at position: Int = 0) throws {
    var rest = Self.schemaLimit
    writer.defersLinks = writer.recorder == nil
    let instructions = changeset.instructions
    for number in instructions.indices {
      try blaming(instructions[number], changeset: position, number: number) {
        try perform(instructions[number], &rest)
        if number == instructions.count - 1 { try close() }
      }
    }
  }

  /// Applies a changeset while its bytes are decoded. Most of them set fields of one object, for which no instructions are
  /// made.
  ///
  /// - Parameter isFree: whether an instruction may be applied, and others that follow it and only set fields of the same
  ///   object. Nothing is done from the first on of which it says no.
  /// - Returns: how many instructions were applied before that; nil when all were.
  @discardableResult
  func apply(
    _ bytes: ArraySlice<UInt8>, with decoder: inout ChangesetDecoder, at position: Int,
    while isFree: (Instruction) -> Bool = { _ in true }
  ) throws -> Int? {
    var rest = Self.schemaLimit
    var done: Int?
    writer.defersLinks = writer.recorder == nil
    decoder.start(bytes)
    do {
      while let instruction = try decoder.reader.next() {
        guard isFree(instruction) else {
          done = decoder.reader.instructionCount - 1
          break
        }
        try blaming(instruction, changeset: position, number: decoder.reader.instructionCount - 1) {
          try perform(instruction, &rest)
        }
        try setCells(&decoder.reader)
      }
    } catch let error as ChangesetDecodingError {
      throw BadChangesetError(error, changeset: position)
    }
    let last = (done ?? decoder.reader.instructionCount) - 1
    try blaming(nil, changeset: position, number: last) { try close() }
    return done
  }

  /// Says of what fails in `body` which instruction is to blame.
  private func blaming(
    _ instruction: @autoclosure () -> Instruction?, changeset: Int, number: Int, _ body: () throws -> Void
  ) throws {
    do { try body() } catch {
      guard let refusal = error as? Refusal ?? (error as? StorageError).flatMap({ Refusal($0) }) else { throw error }
      throw BadChangesetError(refusal, instruction(), changeset: changeset, number: number)
    }
  }

  func apply(_ instruction: Instruction) throws {
    var rest = 1
    try perform(instruction, &rest)
    try close()
  }

  /// Does what an instruction says; what it changes inside a mixed value may stay in ``dirty``.
  ///
  /// - Parameter rest: how many changes of the schema are still allowed.
  private func perform(_ instruction: Instruction, _ rest: inout Int) throws {
    switch instruction {
    case .addTable, .eraseTable, .addColumn, .eraseColumn:
      rest -= 1
      guard rest >= 0 else {
        throw Refusal(.limitExceeded, "it changes the schema more than \(Self.schemaLimit) times")
      }
      try changeSchema(instruction)
    case .createObject(let it): try createObject(it.object)
    case .eraseObject(let it): try eraseObject(it.object)
    case .update(let it): if try !updateCell(it) { try update(it) }
    case .addInteger(let it): try addInteger(it)
    case .arrayInsert(let it): try arrayInsert(it)
    case .arrayMove(let it): try arrayMove(it)
    case .arrayErase(let it): try arrayErase(it)
    case .clear(let it): try clear(it)
    case .setInsert(let it): try changeSet(it.target, it.payload, inserting: true)
    case .setErase(let it): try changeSet(it.target, it.payload, inserting: false)
    }
  }

  func layout(_ name: String) throws -> ClassLayout {
    if let layout = last.layout, layout.name == name { return layout }
    guard let layout = writer.catalog[name] else { throw Refusal(.unknownClass, "no class \(name)") }
    return layout
  }

  // MARK: Objects

  private func createObject(_ object: ObjectReference) throws {
    try close()
    let layout = try keyedLayout(object)
    last.remember(object, layout, try writer.create(object.key, layout), try writer.writer(layout))
  }

  private func eraseObject(_ object: ObjectReference) throws {
    try close()
    let layout = try keyedLayout(object)
    last.forget()
    guard let row = try writer.readView.row(object.key, layout) else { return }
    try writer.erase(row, layout, incoming: .unresolve)
  }

  /// The class and the row of an object; nil when there is none.
  func find(_ object: ObjectReference) throws -> (layout: ClassLayout, row: RowKey)? {
    guard try recall(object), let layout = last.layout else { return nil }
    return (layout, last.row)
  }

  /// Makes an object the one addressed last.
  ///
  /// - Returns: whether there is such an object.
  func recall(_ object: ObjectReference) throws -> Bool {
    if last.isAbout(object) { return true }
    let layout = try keyedLayout(object)
    guard let row = try writer.readView.row(object.key, layout) else { return false }
    last.remember(object, layout, row, try writer.writer(layout))
    return true
  }

  /// The class of an object whose key it can have.
  func keyedLayout(_ object: ObjectReference) throws -> ClassLayout {
    let layout = try layout(object.className)
    guard let key = layout.key else { throw Refusal(.classWithoutKeys) }
    if case .string(let text) = object.key { try writer.work.charge(text: text) }
    guard key.entry(object.key) != nil else { throw Refusal(.keyOfOtherType) }
    return layout
  }
}

extension BadChangesetError {
  fileprivate init(_ refusal: Refusal, _ instruction: Instruction?, changeset: Int, number: Int) {
    let subject = instruction.map { ": \($0)" } ?? ""
    self.init(
      .applying, refusal.reason + subject, changeset: changeset, instruction: number, refusal: refusal.kind)
  }

  /// Bytes that are no changeset; `changeset` is their place in what was handed in.
  init(_ error: ChangesetDecodingError, changeset: Int) {
    self.init(
      .decoding, "\(error)", changeset: changeset, instruction: error.instruction, position: error.position)
  }
}
