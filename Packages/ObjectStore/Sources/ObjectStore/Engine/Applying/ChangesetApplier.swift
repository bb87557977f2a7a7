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
  let last = LastObject()
  /// The mixed value that the latest instructions changed inside.
  let opened = OpenedValue()

  init(writer: StoreWriter) { self.writer = writer }

  /// How many classes and columns one changeset may declare or erase: each costs as much as the schema is large, so that
  /// a message full of them would keep a realm busy for hours.
  static let schemaLimit = 1 << 14

  /// - Parameter position: the place of the changeset in what was handed in, for errors.
  func apply(_ changeset: Changeset, at position: Int = 0) throws {
    var rest = Self.schemaLimit
    let instructions = changeset.instructions
    for number in instructions.indices {
      do {
        if instructions[number].isOfSchema { rest -= 1 }
        guard rest >= 0 else {
          throw Refusal(.limitExceeded, "it changes the schema more than \(Self.schemaLimit) times")
        }
        try perform(instructions[number])
        if number == instructions.count - 1 { try close() }
      } catch let refusal as Refusal {
        throw BadChangesetError(refusal, instructions[number], changeset: position, number: number)
      } catch let error as StorageError {
        guard let refusal = Refusal(error) else { throw error }
        throw BadChangesetError(refusal, instructions[number], changeset: position, number: number)
      }
    }
  }

  func apply(_ instruction: Instruction) throws {
    try perform(instruction)
    try close()
  }

  /// Does what an instruction says; what it changes inside a mixed value may stay in ``opened``.
  private func perform(_ instruction: Instruction) throws {
    // Asked first: it is what most instructions do.
    if case .update(let it) = instruction, try updateCell(it) { return }
    if instruction.isOfSchema {
      last.forget()
      try close()
    }
    switch instruction {
    case .addTable(let it): try addTable(it)
    case .eraseTable(let it): try eraseTable(it)
    case .addColumn(let it): try addColumn(it)
    case .eraseColumn(let it): try eraseColumn(it)
    case .createObject(let it): try createObject(it.object)
    case .eraseObject(let it): try eraseObject(it.object)
    case .update(let it): try update(it)
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
    guard let row = try writer.frame.row(object.key, layout) else { return }
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
    guard let row = try writer.frame.row(object.key, layout) else { return false }
    last.remember(object, layout, row, try writer.writer(layout))
    return true
  }

  /// The class of an object whose key it can have.
  func keyedLayout(_ object: ObjectReference) throws -> ClassLayout {
    let layout = try layout(object.className)
    guard let key = layout.key else { throw Refusal(.classWithoutKeys) }
    guard key.entry(object.key) != nil else { throw Refusal(.keyOfOtherType) }
    return layout
  }
}

extension BadChangesetError {
  fileprivate init(_ refusal: Refusal, _ instruction: Instruction, changeset: Int, number: Int) {
    self.init(.applying, "\(refusal.reason): \(instruction)", changeset: changeset, instruction: number)
    self.refusal = refusal.kind
  }
}
