import ChangesetOT
import DataModel
import Permissions
import StorageEngine

/// Decides which writes of an upload are taken, when their author's file holds a view: those to objects that are in the
/// queries of the upload before or after the write, and that the author's roles allow. What is not taken is undone in the
/// author's file.
///
/// An object of which the author's file was told more, or less, than the changes of others since the base of the upload, is
/// set back there to what it holds here, whether or not its writes were taken: the merge in the file was another one.
///
/// The outcome of a write is known only after it was applied. A refusal found then is ``late``: the transaction is to be done
/// again with it known before.
struct UploadAdmission {
  let queries: ViewQueries
  /// The queries whose objects the author's file is sent.
  let held: ViewQueries
  /// The content of the author's file.
  let stages: ViewStages
  /// The state that the author's file was brought up with.
  let bootstrap: ServerVersion
  let access: ViewAccess?
  /// The objects that the author's file was sent beside the changes of others.
  let flips: ViewFlips
  var refused: [RefusedPart: Refused]
  private(set) var late: [RefusedPart: Refused] = [:]
  /// The objects to be set back in the author's file, as far as the present run touched them.
  var touched = TouchedObjects()
  /// Where the objects of the upload are as seen from its queries.
  var places: [ObjectReference: ObjectTimeline.Place] = [:]
  /// The sets that the author's file may have held since the base of the present run: a bootstrap may have come to nothing.
  var sets: [ViewQueries] = []
  /// The sets of all runs, by the versions from which on they were held.
  var knownSets: [ServerVersion: ViewQueries] = [:]
  /// The contents of the author's file at the bases of runs before the present one.
  var bases = KnownBases()
  /// Objects of the present run that others hold outside of the author's view, and those that went into it or out of it.
  var strange: Set<ObjectReference> = []
  var moved: Set<ObjectReference> = []
  /// Permission objects of the present run that others made and that the author's file did not have at its base: what links to them would
  /// grant what others chose.
  var foreignEntries: Set<ObjectReference> = []
  /// The fields that the present run links to them, from the first changeset on that does: others of their elements have no places then.
  var foreignFields: Set<RefusedPart> = []
  /// The objects and fields that versions after the base of the present run set back in the author's file: the collections there
  /// were other ones.
  var setBack = SetBackParts()
  /// Those that runs before the present one, on other bases, touched.
  var touchedBefore = TouchedObjects()
  /// Objects of asymmetric classes that the server had before the present run.
  var sentBefore: Set<ObjectReference> = []
  /// Objects that were not there at the base of the present run.
  var made: Set<ObjectReference> = []
  /// Whether places that were found may be others by now: changesets were applied since.
  var arePlacesOld = false
  /// The judge of the changeset that is being applied.
  private var judge: WriteJudge?
  /// The entries of access lists that were looked at for the changeset that was admitted last.
  private(set) var entriesRead = 0
  let attempt: AdmissionAttempt
  /// The first changeset with a late refusal that may concern others.
  private var tainted = Int.max

  /// - Parameters:
  ///   - refused: what earlier attempts found.
  ///   - attempt: how much is judged at once.
  init(
    _ set: QuerySet, _ access: ViewAccess?, _ stages: ViewStages, bootstrap: ServerVersion, flips: ViewFlips,
    refused: [RefusedPart: Refused], _ attempt: AdmissionAttempt
  ) {
    self.attempt = attempt
    queries = ViewQueries(set, access, attempt.holders)
    held = ViewQueries(stages.current, attempt.holders)
    self.access = access
    self.stages = stages
    self.bootstrap = bootstrap
    self.flips = flips
    self.refused = refused
  }

  // MARK: Before

  /// The part of a changeset that may be merged: what it does to objects that its author's file does not know is no change of
  /// theirs, what it does to objects that are being erased there would be lost without a word, and what it does to a collection that was another one there has no place in this one.
  mutating func known(_ changeset: Changeset, at offset: Int, _ version: ClientVersion) -> Changeset {
    let isClean =
      strange.isEmpty && foreignEntries.isEmpty && setBack.isEmpty && touchedBefore.objects.isEmpty
      && sentBefore.isEmpty
    if isClean { return changeset }
    var known = changeset
    if !sentBefore.isEmpty { keepFirst(of: sentBefore, in: &known, at: offset, version) }
    if access != nil { noteForeignFields(of: changeset) }
    known.instructions.removeAll { instruction in
      guard let object = instruction.object else { return false }
      if strange.contains(object) {
        refuse(.object(object), of: object, at: offset, version, Self.isOutside)
        return true
      }
      // The author's file is being told to erase it: merged with that, nothing is left of the write in either place.
      if setBack.contains(.object(object)) {
        let reason =
          places[object] == .outside ? Self.isOutside : "it is being set back after another write"
        refuse(.object(object), of: object, at: offset, version, reason)
        return true
      }
      guard let target = instruction.target else { return false }
      if foreignFields.contains(.field(object, target.field)) {
        refuse(
          .field(object, target.field), of: object, at: offset, version,
          "it names a permission object of others that is in no list of this user's view")
        return true
      }
      guard instruction.changesPlaces else { return false }
      let field = RefusedPart.field(object, target.field)
      guard setBack.contains(field) || touchedBefore.contains(target.field, of: object) else { return false }
      refuse(field, of: object, at: offset, version, "its \(target.field) is being set back after another write")
      return true
    }
    return known
  }

  /// The part of a changeset that may be applied.
  ///
  /// - Parameters:
  ///   - changeset: as it was merged.
  ///   - original: as it was made.
  ///   - offset: its place in the batch.
  mutating func admitted(
    _ changeset: Changeset, from original: Changeset, at offset: Int, _ version: ClientVersion, _ present: PresentState
  ) throws -> Changeset {
    judge = nil
    entriesRead = 0
    try updatePlaces(of: changeset, present)
    refuseRest(of: changeset, at: offset, version, attempt, present)
    if let permissions = present.permissions(of: access), !permissions.user.isUnbounded {
      var judge = WriteJudge(
        permissions.user, permissions.table, offset: offset, version: version, present.readView)
      try judge.judge(changeset, known: refused)
      refused.merge(veiled(judge.refused))
      entriesRead = judge.entriesRead
      self.judge = judge
    }
    let catalog = present.readView.catalog
    refused.refuseMissingSchema(changeset, at: offset, version, catalog)
    for instruction in original.instructions where instruction.changesPlaces {
      refused.keepRefusing(instruction, at: offset, catalog)
    }
    var restored = Changeset(origin: original.origin)
    restored.instructions = original.instructions.filter { isRefused($0, at: offset, catalog) }
    try touched.add(restored)
    // Of classes that were refused the realm knows nothing.
    touched.noteMerged(restored)
    for object in original.instructions.compactMap(\.object) where moved.contains(object) || strange.contains(object) {
      touched.addWhole(object)
    }
    var admitted = changeset
    if !refused.isEmpty { admitted.instructions.removeAll { isRefused($0, at: offset, catalog) } }
    leaveOutAbsent(from: &admitted)
    return admitted
  }

  mutating func refuse(
    _ part: RefusedPart, of object: ObjectReference, at offset: Int, _ version: ClientVersion, _ reason: String
  ) {
    guard refused[part].map({ $0.offset > offset }) ?? true else { return }
    let write = RefusedWrite(object: object, clientVersion: version, reason: "write not allowed: \(reason)")
    refused[part] = Refused(offset: offset, write: write)
  }

  private static let isOutside = "it is an object outside of the query view"

  /// The refusals by roles, without the reasons for objects that the author does not see: these would tell what their lists are.
  private func veiled(_ found: [RefusedPart: Refused]) -> [RefusedPart: Refused] {
    found.mapValues { refused in
      guard places[refused.write.object] == .outside else { return refused }
      var veiled = refused
      veiled.write.reason = "write not allowed: \(Self.isOutside)"
      return veiled
    }
  }

  // MARK: After

  /// Looks at the objects of a changeset that was applied.
  mutating func judge(_ changeset: Changeset, at offset: Int, _ version: ClientVersion, _ present: PresentState) throws
  {
    arePlacesOld = true
    if attempt.isExact, tainted < offset { return }
    let found = try judge?.judgeOutcome(in: present.readView) ?? [:]
    if !found.isEmpty {
      let found = veiled(found)
      refused.merge(found)
      late.merge(found)
      tainted = min(tainted, offset)
      // Without what they did the objects of the changeset may be where they are allowed to be.
      if attempt.isExact { return }
    }
    for (className, objects) in Self.objects([changeset], in: present.readView) {
      // Nobody subscribes to the classes of permissions; roles decide about them.
      let isFree = access?.followsLinks == true && PermissionClass(rawValue: className) != nil
      let after = try queries.places(of: objects, className, present)
      for object in objects {
        let place = after[object] ?? .absent
        if place == .outside, places[object] != .inside, !isFree {
          let reason =
            places[object] == .outside ? Self.isOutside : "the new object is outside of the query view"
          refuse(.object(object), of: object, at: offset, version, reason)
          late[.object(object)] = refused[.object(object)]
          if mayConcernOthers(className, present) { tainted = min(tainted, offset) }
        }
        places[object] = place
        // Seen from both ends of a scan, an object that came and went with links was never in the view.
        let isUncertain = attempt.holders.isUsedUp && queries.depends(className, present)
        if place == .outside || place == .inside && isUncertain, made.contains(object) { touched.addWhole(object) }
        // The next changeset of the run does not know that the author's file may be told to erase it, and may bring it back.
        let isOutsideOfSome = try sets.contains { set in
          try set.mayHold(className, present) && !set.selects(object, present)
        }
        if place != .absent, isOutsideOfSome { moved.insert(object) }
      }
    }
  }

  /// Whether an object of a class may decide about others: about what is held, what roles allow, or what the entries of its list are
  /// judged by.
  private func mayConcernOthers(_ className: String, _ present: PresentState) -> Bool {
    if queries.hasDependents(present) || PermissionClass(rawValue: className) != nil { return true }
    return present.readView.catalog[className].map { !$0.accessLists.isEmpty } ?? false
  }
}
