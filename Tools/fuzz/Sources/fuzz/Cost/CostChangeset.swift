import ChangesetOT
import DataModel

/// Instructions from genes, with the prior sizes that their author sees.
struct CostChangeset {
  /// Objects that steps address.
  static let objects = 24
  /// Objects that many others link to, and that hold long collections.
  static let hubs = 4

  /// The author's knowledge of one object.
  struct Known: Hashable {
    var links: UInt32 = 0
    /// Elements of the list in the mixed field; nil when that is none.
    var nested: UInt32?
    var parts: UInt32 = 0
  }

  /// Objects that exist.
  private(set) var known: [Int: Known]
  private(set) var instructions: [Instruction] = []
  private var columns = 0
  private var tables = 0
  private let salt: Int

  /// - Parameter salt: sets names of this author's classes apart from others'.
  init(_ known: [Int: Known], salt: Int) { (self.known, self.salt) = (known, salt) }

  static func item(_ number: Int) -> ObjectReference { ObjectReference(className: "Item", key: .int(Int64(number))) }

  static let schema: [Instruction] = [
    .addTable(AddTable(table: "Part", kind: .embedded, primaryKey: nil)),
    .addTable(AddTable(table: "Item", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))),
    .addTable(AddTable(table: "Doc", primaryKey: PrimaryKeyColumn(field: "_id", type: .string))),
    .addColumn(AddColumn(table: "Part", field: "x", type: .int)),
    .addColumn(AddColumn(table: "Item", field: "n", type: .int)),
    .addColumn(AddColumn(table: "Item", field: "s", type: .string)),
    .addColumn(AddColumn(table: "Item", field: "m", type: nil, isNullable: true)),
    .addColumn(AddColumn(table: "Item", field: "ref", type: .link, isNullable: true, linkTarget: "Item")),
    .addColumn(AddColumn(table: "Item", field: "refs", type: .link, collection: .list, linkTarget: "Item")),
    .addColumn(AddColumn(table: "Item", field: "rset", type: .link, collection: .set, linkTarget: "Item")),
    .addColumn(AddColumn(table: "Item", field: "props", type: nil, isNullable: true, collection: .dictionary)),
    .addColumn(AddColumn(table: "Item", field: "parts", type: .link, collection: .list, linkTarget: "Part")),
    .addColumn(AddColumn(table: "Item", field: "docs", type: .link, collection: .list, linkTarget: "Doc")),
  ]

  mutating func add(_ steps: [CostGenome.Gene]) { for step in steps { add(step) } }

  private mutating func add(_ gene: CostGenome.Gene) {
    let (one, other) = (Int(gene.first) % Self.objects, Int(gene.second) % Self.objects)
    let (object, link) = (Self.item(one), Payload.link(Self.item(other)))
    func at(_ field: String, _ path: PathElement...) -> Target { Target(object: object, field: field, path: path) }
    func update(_ target: Target, _ payload: Payload, _ prior: UInt32? = nil) {
      instructions.append(.update(Update(target: target, payload: payload, priorSize: prior)))
    }
    func insert(_ target: Target, _ payload: Payload, _ prior: UInt32) {
      instructions.append(.arrayInsert(ArrayInsert(target: target, payload: payload, priorSize: prior)))
    }
    /// The front, the end, or somewhere.
    func place(_ size: UInt32) -> UInt32 {
      [0, size, size / 2, UInt32(gene.second) % (size + 1)][Int(gene.second) % 4]
    }
    let code = gene.code % 24
    if code == 0 || known[one] == nil, code < 22 {
      instructions.append(.createObject(CreateObject(object: object)))
      if known[one] == nil { known[one] = Known() }
      return
    }
    var now = known[one] ?? Known()
    defer { if known[one] != nil { known[one] = now } }
    switch code {
    case 1, 2:
      instructions.append(.eraseObject(EraseObject(object: object)))
      known[one] = nil
    case 3: update(at("ref"), link)
    case 4: update(at("n"), .int(Int64(gene.second)))
    case 5: update(at("s"), .string(String(repeating: "s", count: Int(gene.second))))
    case 6, 7:
      insert(at("refs", .index(place(now.links))), link, now.links)
      now.links += 1
    case 8 where now.links > 0:
      instructions.append(
        .arrayErase(ArrayErase(target: at("refs", .index(place(now.links - 1))), priorSize: now.links)))
      now.links -= 1
    case 9 where now.links > 1:
      instructions.append(
        .arrayMove(ArrayMove(target: at("refs", .index(0)), destination: now.links - 1, priorSize: now.links)))
    case 10:
      instructions.append(.clear(Clear(target: at("refs"), collection: .list)))
      now.links = 0
    case 11, 12: instructions.append(.setInsert(SetInsert(target: at("rset"), payload: link)))
    case 13: instructions.append(.setErase(SetErase(target: at("rset"), payload: link)))
    case 14: update(at("props", .name("k\(gene.second)")), gene.second % 3 == 0 ? .erased : link)
    case 15:
      update(at("m"), gene.second % 4 == 0 ? .null : .list)
      now.nested = gene.second % 4 == 0 ? nil : now.nested ?? 0
    case 16, 17:
      guard let size = now.nested else { return update(at("m"), .null) }
      insert(at("m", .index(place(size))), link, size)
      now.nested = size + 1
    case 18:
      guard let size = now.nested, size > 0 else { return update(at("m"), .null) }
      update(at("m", .index(place(size - 1))), .int(Int64(gene.second)), size)
    case 19:
      insert(at("parts", .index(place(now.parts))), .objectValue, now.parts)
      now.parts += 1
    case 20 where now.parts > 0: update(at("parts", .index(now.parts - 1), .name("x")), .int(1))
    case 21:
      instructions.append(.clear(Clear(target: at("parts"), collection: .list)))
      now.parts = 0
    case 22:
      let key = String(repeating: "d", count: 1 << Int(gene.second % 12)) + "\(gene.first % 4)"
      instructions.append(.createObject(CreateObject(object: ObjectReference(className: "Doc", key: .string(key)))))
    case 23: declare(gene)
    default: break
    }
  }

  private mutating func declare(_ gene: CostGenome.Gene) {
    if gene.first % 4 == 0 || tables == 0 {
      tables += 1
      let key = PrimaryKeyColumn(field: "_id", type: .int)
      instructions.append(.addTable(AddTable(table: "T\(salt)x\(tables)", primaryKey: key)))
    } else {
      columns += 1
      let isLink = gene.second % 2 == 0
      instructions.append(
        .addColumn(
          AddColumn(
            table: "T\(salt)x\(gene.first % 4 == 1 ? tables : 1)", field: "c\(columns)", type: isLink ? .link : .int,
            collection: isLink ? .list : .single, linkTarget: isLink ? "Item" : nil)))
    }
  }
}
