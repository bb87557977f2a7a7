public import ChangesetOT
import DataModel
import TestKit

/// Two long offline histories on one base, of the shapes that cost merge engines most.
///
///     let work = MergeWorkload.make(.listMix, count: 10_000)
///     var (local, incoming) = (work.local, work.incoming)
///     try Transformer().transform(local: &local, incoming: &incoming)
public struct MergeWorkload: Sendable {
  /// The shape of both histories; the raw value is part of the ids of benchmark rows.
  public enum Shape: String, Sendable, CaseIterable {
    /// Insertions at random indices of one list.
    case listInserts
    /// Appends to one list.
    case listAppends
    /// Insertions, writes, moves and removals at random indices of one list.
    case listMix
    /// Writes of one field of one object.
    case hotField
    /// Writes and additions on one integer field.
    case hotCounter
    /// Writes of two fields of random ones of 1,000 objects.
    case sharedObjects
    /// The same objects created and filled on both sides.
    case equalCreations
    /// Writes, additions, links, erasures and creations on 1,000 objects.
    case objectMix
    /// Writes of random keys of one dictionary.
    case dictionary
  }

  /// The local history, oldest first.
  public var local: [Changeset]
  /// The incoming history, oldest first.
  public var incoming: [Changeset]

  /// `count` changesets of one instruction or a few on each side; `incomingCount` on the other when given.
  public static func make(
    _ shape: Shape, count: Int, incomingCount: Int? = nil, instructions: Int = 1, seed: UInt64 = 1
  ) -> MergeWorkload {
    MergeWorkload(
      local: history(shape, count, instructions, FileIdent(2), seed),
      incoming: history(shape, incomingCount ?? count, instructions, FileIdent(3), seed))
  }

  private static func history(
    _ shape: Shape, _ count: Int, _ perChangeset: Int, _ author: FileIdent, _ seed: UInt64
  ) -> [Changeset] {
    var maker = Maker(author: author, random: SeededGenerator(seed: seed ^ author.rawValue << 32))
    return (0..<count).map { number in
      let instructions = (0..<perChangeset).flatMap { maker.next(shape, number * perChangeset + $0) }
      let time = OriginTimestamp(UInt64(number) * 1_000 + UInt64(maker.random.below(1_000)))
      return Changeset(instructions: instructions, origin: ChangesetOrigin(timestamp: time, file: author))
    }
  }

  private struct Maker {
    let author: FileIdent
    var random: SeededGenerator
    var size = 10_000

    func object(_ key: Int) -> ObjectReference { ObjectReference(className: "Item", key: .int(Int64(key))) }
    func at(_ index: Int) -> Target { Target(object: object(1), field: "tags", path: [.index(UInt32(index))]) }

    mutating func next(_ shape: Shape, _ number: Int) -> [Instruction] {
      let payload = Payload.int(Int64(author.rawValue) << 40 | Int64(number))
      let prior = UInt32(size)
      switch shape {
      case .listInserts:
        size += 1
        return [.arrayInsert(ArrayInsert(target: at(random.below(size)), payload: payload, priorSize: prior))]
      case .listAppends:
        size += 1
        return [.arrayInsert(ArrayInsert(target: at(size - 1), payload: payload, priorSize: prior))]
      case .listMix:
        switch random.below(10) {
        case 0..<5:
          size += 1
          return [.arrayInsert(ArrayInsert(target: at(random.below(size)), payload: payload, priorSize: prior))]
        case 5, 6:
          return [.update(Update(target: at(random.below(size)), payload: payload, priorSize: prior))]
        case 7:
          let from = random.below(size)
          let to = (from + 1 + random.below(size - 1)) % size
          return [.arrayMove(ArrayMove(target: at(from), destination: UInt32(to), priorSize: prior))]
        default:
          size -= 1
          return [.arrayErase(ArrayErase(target: at(random.below(size + 1)), priorSize: prior))]
        }
      case .hotField:
        return [.update(Update(target: Target(object: object(1), field: "n"), payload: payload))]
      case .hotCounter:
        let target = Target(object: object(1), field: "n")
        if random.oneIn(4) { return [.update(Update(target: target, payload: .int(Int64(number))))] }
        return [.addInteger(AddInteger(target: target, amount: 1))]
      case .sharedObjects:
        let object = object(random.below(1_000))
        return [
          .update(Update(target: Target(object: object, field: "n"), payload: payload)),
          .update(Update(target: Target(object: object, field: "s"), payload: .string("text \(number)"))),
        ]
      case .equalCreations:
        return [
          .createObject(CreateObject(object: object(number))),
          .update(Update(target: Target(object: object(number), field: "n"), payload: payload)),
        ]
      case .objectMix:
        let object = object(random.below(1_000))
        switch random.below(6) {
        case 0: return [.eraseObject(EraseObject(object: object))]
        case 1: return [.createObject(CreateObject(object: object))]
        case 2: return [.addInteger(AddInteger(target: Target(object: object, field: "n"), amount: 1))]
        case 3:
          let link = Payload.link(self.object(random.below(1_000)))
          return [.update(Update(target: Target(object: object, field: "ref"), payload: link))]
        default: return [.update(Update(target: Target(object: object, field: "n"), payload: payload))]
        }
      case .dictionary:
        let target = Target(object: object(1), field: "props", path: [.name("key \(random.below(5_000))")])
        return [.update(Update(target: target, payload: payload))]
      }
    }
  }
}
