public import ChangesetOT
import DataModel
import TestKit

/// A source of random transactions, as an honest recorder writes them for a state.
///
///     var generator = EditGenerator(seed: 7, author: FileIdent(2))
///     let instructions = try generator.transaction(on: &state, edits: 4)   // state now has them applied
///
/// The generator avoids the known weak points of the merge (`Docs/Algebra.md`): embedded objects get dictionary keys that
/// no other author uses, and no author overwrites a mixed value that one of them may turn into a collection.
public struct EditGenerator: Sendable {
  /// The relative frequencies of the kinds of edits.
  public struct Weights: Sendable {
    /// The frequency of creations and erasures of objects.
    public var objects = 3
    /// The frequency of writes of single values.
    public var fields = 8
    /// The frequency of additions.
    public var increments = 5
    /// The frequency of edits of lists of strings.
    public var lists = 14
    /// The frequency of edits of sets.
    public var sets = 4
    /// The frequency of edits of dictionaries.
    public var dictionaries = 6
    /// The frequency of edits of embedded objects.
    public var embedded = 12
    /// The frequency of edits of mixed values.
    public var mixed = 10
    /// The frequency of edits of links.
    public var links = 5
    /// The frequency of declarations and erasures of classes and fields.
    public var schema = 2
    /// Whether every mixed value is reserved for scalars, for lists or for dictionaries; needed with three authors.
    public var separatesMixedPlaces = false

    /// Every kind of edit, for two authors.
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

  /// The frequencies.
  public var weights: Weights
  /// The highest object key; keys are drawn from 1 up to it.
  public var keyLimit: Int64 = 5
  let author: FileIdent
  var random: SeededGenerator
  var recorded: [Instruction] = []
  var fresh: Int64 = 0

  /// A generator of one author; equal seeds give equal edits.
  public init(seed: UInt64, author: FileIdent, weights: Weights = Weights()) {
    self.author = author
    self.weights = weights
    random = SeededGenerator(seed: seed ^ (author.rawValue << 40))
  }

  /// The instructions of a transaction of about `edits` edits, applied to the state.
  ///
  /// - Throws: ``ModelError`` when an edit cannot be applied: a bug of the generator.
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

  /// Applies an instruction and records it.
  mutating func record(_ instruction: Instruction, _ state: inout ModelState) throws {
    try state.apply(instruction)
    recorded.append(instruction)
  }

  mutating func freshNumber() -> Int64 {
    fresh += 1
    return Int64(author.rawValue) * 1_000 + fresh
  }

  mutating func freshText() -> Payload { .string("t\(freshNumber())") }

  /// A random object of the class `Item`.
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
