public import ChangesetOT
import DataModel
import TestKit

/// Makes random transactions that an honest recorder could have written for a state.
///
///     var generator = EditGenerator(seed: 7, author: FileIdent(2))
///     let instructions = try generator.transaction(on: &state, edits: 4)   // state now has them applied
///
/// The two known weak points of the merge are not entered: embedded objects get dictionary keys that no other author
/// uses, and a mixed place that anybody may turn into a collection is not overwritten by anybody.
public struct EditGenerator: Sendable {
  /// How often each kind of edit is made, relative to the others.
  public struct Weights: Sendable {
    public var objects = 3
    public var fields = 8
    public var increments = 5
    public var lists = 14
    public var sets = 4
    public var dictionaries = 6
    public var embedded = 12
    public var mixed = 10
    public var links = 5
    public var schema = 2
    /// Whether every mixed place is kept for scalars, for lists or for dictionaries; needed with three authors.
    public var separatesMixedPlaces = false

    public init() {}

    /// Every kind of edit, for networks of three authors and more.
    public static var forNetworks: Weights {
      var weights = Weights()
      weights.separatesMixedPlaces = true
      return weights
    }

    /// Only edits of lists of strings.
    public static var listsOnly: Weights {
      var weights = Weights()
      weights.objects = 0
      weights.fields = 0
      weights.increments = 0
      weights.sets = 0
      weights.dictionaries = 0
      weights.embedded = 0
      weights.mixed = 0
      weights.links = 0
      weights.schema = 0
      return weights
    }
  }

  public var weights: Weights
  /// Keys of objects are drawn from 1 up to this.
  public var keyLimit: Int64 = 5
  let author: FileIdent
  var random: SeededGenerator
  var recorded: [Instruction] = []
  var fresh: Int64 = 0

  public init(seed: UInt64, author: FileIdent, weights: Weights = Weights()) {
    self.author = author
    self.weights = weights
    random = SeededGenerator(seed: seed ^ (author.rawValue << 40))
  }

  /// The instructions of a transaction of about `edits` edits, applied to the state.
  public mutating func transaction(on state: inout ModelState, edits: Int) throws -> [Instruction] {
    recorded = []
    for _ in 0..<edits { try edit(&state) }
    return recorded
  }

  private mutating func edit(_ state: inout ModelState) throws {
    let kinds: [(Int, (inout EditGenerator, inout ModelState) throws -> Void)] = [
      (weights.objects, { try $0.editObjects(&$1) }),
      (weights.fields, { try $0.editField(&$1) }),
      (weights.increments, { try $0.increment(&$1) }),
      (weights.lists, { try $0.editTags(&$1) }),
      (weights.sets, { try $0.editSet(&$1) }),
      (weights.dictionaries, { try $0.editDictionary(&$1) }),
      (weights.embedded, { try $0.editEmbedded(&$1) }),
      (weights.mixed, { try $0.editMixed(&$1) }),
      (weights.links, { try $0.editLinks(&$1) }),
      (weights.schema, { try $0.editSchema(&$1) }),
    ]
    var draw = random.below(kinds.reduce(0) { $0 + $1.0 })
    for (weight, make) in kinds {
      if draw < weight { return try make(&self, &state) }
      draw -= weight
    }
  }

  /// Applies and records.
  mutating func record(_ instruction: Instruction, _ state: inout ModelState) throws {
    try state.apply(instruction)
    recorded.append(instruction)
  }

  mutating func freshNumber() -> Int64 {
    fresh += 1
    return Int64(author.rawValue) * 1_000 + fresh
  }

  mutating func freshText() -> Payload { .string("t\(freshNumber())") }

  /// Some object of the class of all shapes.
  mutating func someItem(_ state: ModelState) -> ObjectReference? {
    let keys = (state.objects["Item"] ?? [:]).keys.sorted { "\($0)" < "\($1)" }
    return random.pick(keys).map { ObjectReference(className: "Item", key: $0) }
  }
}

extension ModelState {
  func value(_ object: ObjectReference, _ field: String) -> ModelValue {
    objects[object.className]?[object.key]?[field] ?? .null
  }
}
