import ChangesetOT
import DataModel
import StorageEngine

/// The changes of a view from one version of a server's history to another: entries of others instruction by instruction, and
/// what brings an object into the view or takes it out.
///
/// Whether an object is in the view at a version is found from the present state and the inverses since then; nothing is
/// remembered per client and object. After the entries up to a version, the client's file holds what the queries select of the
/// state at that version; where membership depends on other objects, after all entries up to ``end`` and ``closing(in:)``.
///
/// - Complexity: O(*n*) in the bytes of the versions after the cursor, and of the objects that enter.
struct ViewChanges: Sendable {
  /// The client file that is sent them; nil for what every client with the view is sent that wrote none of them.
  let ident: FileIdent?
  let queries: RealmQueries
  let past: PastStates
  /// The version from which on the past is known.
  let start: ServerVersion
  /// The version at which the changes end.
  let end: ServerVersion
  /// The content at both ends; nil when every object is in the view, or not, by itself.
  let move: ContentMove?
  /// The permissions of the user at the start; nil when nobody was bounded.
  let rightsBefore: ViewPermissions?
  /// Whether the user may have been without one of these between the two ends.
  let isInterrupted: Bool
  /// Held objects that others wrote to while the user may have been without read on them: they are sent whole at the end, as what was
  /// written in between is not for the user.
  private var rewritten: Set<ObjectReference> = []
  /// The objects that the client was sent, or made to erase, in the last changeset beside the changes of others.
  private(set) var flips: [ObjectReference] = []
  /// Whether a version between the two ends may have let go of what others hold; nil until somebody asks.
  private var letsGo: Bool?
  /// Whether the user had read on objects all the while, as far as somebody asked.
  private var wereReadable: [ObjectReference: Bool] = [:]
  /// Where the objects were that entries touched so far.
  var timelines: [ObjectReference: ObjectTimeline] = [:]
  /// The objects that the client made, by the versions at which that was taken.
  private(set) var ownCreations: [ObjectReference: ServerVersion] = [:]

  init(
    of ident: FileIdent?, _ queries: RealmQueries, _ past: PastStates, since start: ServerVersion,
    through end: ServerVersion, _ move: ContentMove?, rightsBefore: ViewPermissions? = nil, isInterrupted: Bool = false
  ) {
    self.ident = ident
    self.queries = queries
    self.past = past
    self.start = start
    self.end = end
    self.move = move
    self.rightsBefore = rightsBefore
    self.isInterrupted = isInterrupted
  }

  /// The part of an entry that the client is sent; none when nothing of it is in the view.
  ///
  /// - Parameters:
  ///   - version: of the entry.
  ///   - decoded: its instructions, if they are decoded already.
  mutating func changeset(
    of entry: ServerLogEntry, at version: ServerVersion, in readView: ReadView, decoded: [Instruction]? = nil
  ) throws -> [UInt8] {
    flips = []
    if entry.changeset.isEmpty { return [] }
    if entry.isPrivate { return entry.source == ident ? try restoring(entry, at: version, in: readView) : [] }
    let isOwn = entry.source == ident
    let instructions = try decoded ?? Changeset(decoding: entry.changeset, origin: entry.author).instructions
    if isOwn { noteOwnCreations(instructions, at: version) }
    let moves = try moves(instructions, at: version, in: readView)
    var piece = ChangesetWriter()
    if !isOwn {
      for instruction in instructions {
        guard let object = instruction.object else {
          piece.append(instruction)
          continue
        }
        guard moves[object]?.passes == true else { continue }
        if instruction.erasesObject {
          piece.append(instruction)
        } else if isHidden(object) {
          continue
        } else if try mayHaveBeenHidden(object, readView) {
          rewritten.insert(object)
        } else {
          piece.append(instruction)
        }
      }
    }
    let ownCreated = isOwn ? Set(instructions.compactMap(\.createdObject)) : []
    var finished: Set<ObjectReference> = []
    for object in instructions.compactMap(\.object) where finished.insert(object).inserted {
      guard let move = moves[object] else { continue }
      // A creation of the client's own brings the object into its file, also behind an erasure that it was sent before.
      if move.leaves || move.isOutside && ownCreated.contains(object) {
        piece.eraseObject(piece.intern(object.className), object.key)
        flips.append(object)
      } else if !isOwn, move.enters, let fields = try past.fields(of: object, at: version, in: readView) {
        ItemSynthesis(catalog: readView.catalog).write(object, fields, &piece)
        flips.append(object)
      }
    }
    return piece.finish()
  }

  /// The changesets that bring the objects into the file, or take them out, that hold or do not hold because of others, or of roles; to be
  /// sent behind the entry at ``end``. Also the objects that it concerns.
  ///
  /// - Complexity: O(*n*) in the contents, and in the objects that enter.
  func closing(in readView: ReadView) throws -> (pieces: [[UInt8]], flips: [ObjectReference]) {
    guard let move else { return ([], []) }
    var leaving = move.leaving.filter { timelines[$0] == nil }
    var entering = move.entering.filter { timelines[$0] == nil }
    for (object, timeline) in timelines.sorted(by: { "\($0.key)" < "\($1.key)" }) where depends(object.className) {
      switch timeline.place(at: end) {
      case .absent: break
      case .inside: if !move.after.contains(object) { leaving.append(object) }
      case .outside: if move.after.contains(object) { entering.append(object) }
      }
    }
    let again = rewritten.filter { timelines[$0]?.place(at: end) == .inside && move.after.contains($0) }
      .sorted { "\($0)" < "\($1)" }
    leaving += again
    entering += again
    var pieces: [[UInt8]] = []
    var piece = ChangesetWriter()
    func cut(_ limit: Int) {
      guard !piece.isEmpty, piece.count >= limit else { return }
      pieces.append(piece.finish())
      piece = ChangesetWriter()
    }
    for object in leaving {
      piece.eraseObject(piece.intern(object.className), object.key)
      cut(ServerHistory.bootstrapPieceSize)
    }
    for object in entering {
      guard let fields = try past.fields(of: object, at: end, in: readView) else { continue }
      ItemSynthesis(catalog: readView.catalog).write(object, fields, &piece)
      cut(ServerHistory.bootstrapPieceSize)
    }
    cut(0)
    return (pieces, leaving + entering)
  }

  /// Whether an object is going to leave: what others did to it, perhaps after the user lost sight of it, stays unsaid.
  private func isHidden(_ object: ObjectReference) -> Bool {
    guard let move, depends(object.className) else { return false }
    return !move.after.contains(object)
  }

  /// Whether the user may have been without read on an object that is held at both ends: also when it was held through others alone, that
  /// may have let go of it and taken it up again.
  private mutating func mayHaveBeenHidden(_ object: ObjectReference, _ readView: ReadView) throws -> Bool {
    guard depends(object.className), start < end.before else { return false }
    if isInterrupted { return true }
    guard let rights = rightsBefore else { return false }
    let isImplied = queries.selections[object.className]?.isImplied ?? false
    let isFree = isImplied ? rights.mayRead(object.className) : rights.maySubscribe(to: object.className)
    if isFree, try wasReadable(object, rights, readView) { return false }
    return mayHaveLetGo(readView)
  }

  /// Whether the own list of an object let the user read it all the while: looked for once for all the versions that touch it.
  private mutating func wasReadable(
    _ object: ObjectReference, _ rights: ViewPermissions, _ readView: ReadView
  ) throws -> Bool {
    if let known = wereReadable[object] { return known }
    let found = try rights.read(object, past, from: start, before: end, in: readView)
    wereReadable[object] = found
    return found
  }

  private mutating func mayHaveLetGo(_ readView: ReadView) -> Bool {
    if let letsGo { return letsGo }
    let sources = ContentSources(queries, readView.catalog)
    let found =
      move?.isWhole ?? false || !past.objects(after: start, through: end.before, where: sources.mayLetGo).isEmpty
    letsGo = found
    return found
  }

  func depends(_ className: String) -> Bool {
    move.map { $0.isWhole || queries.dependent.contains(className) } ?? false
  }

  private mutating func noteOwnCreations(_ instructions: [Instruction], at version: ServerVersion) {
    for case .createObject(let it) in instructions where depends(it.object.className) {
      // One that was there already goes on as it was.
      guard let touched = past.touched(it.object, after: start).first(where: { $0.version == version }),
        !touched.part.existed
      else { continue }
      ownCreations[it.object] = version
      timelines[it.object] = nil
    }
  }

  /// The entry that sets this client's file back. It was written when the upload was taken; the client may hold another set than it was
  /// to hold then, when a bootstrap came to nothing: every object is looked at again.
  private mutating func restoring(_ entry: ServerLogEntry, at version: ServerVersion, in readView: ReadView) throws
    -> [UInt8]
  {
    let instructions = try Changeset(decoding: entry.changeset, origin: entry.author).instructions
    let erased = Set(
      instructions.compactMap { instruction -> ObjectReference? in
        if case .eraseObject(let it) = instruction { it.object } else { nil }
      })
    let moves = try moves(instructions, at: version, in: readView)
    var piece = ChangesetWriter()
    var seen: Set<ObjectReference> = []
    for instruction in instructions {
      guard let object = instruction.object else { continue }
      let isIn = moves[object]?.isIn == true && !isHidden(object)
      let isKnown = try isIn && !mayHaveBeenHidden(object, readView)
      if isKnown, !erased.contains(object) {
        piece.append(instruction)
        continue
      }
      guard seen.insert(object).inserted else { continue }
      piece.eraseObject(piece.intern(object.className), object.key)
      if isKnown, let fields = try past.fields(of: object, at: version, in: readView) {
        ItemSynthesis(catalog: readView.catalog).write(object, fields, &piece)
      } else if isIn {
        rewritten.insert(object)
      }
    }
    return piece.finish()
  }
}

extension Instruction {
  fileprivate var erasesObject: Bool { if case .eraseObject = self { true } else { false } }
  fileprivate var createdObject: ObjectReference? { if case .createObject(let it) = self { it.object } else { nil } }
}

extension ServerVersion {
  /// The version before; 0 has none.
  var before: ServerVersion { ServerVersion(rawValue == 0 ? 0 : rawValue - 1) }
}
