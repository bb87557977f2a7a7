import ChangesetOT
import DataModel

/// The content of a view at the two ends of a scan, of the classes whose membership depends on other objects; of all classes
/// when the roles of the user changed between.
///
/// Within the scan nothing enters the view or leaves it: what the entries do to held objects is passed on as it is, and the
/// difference follows at the end.
struct ContentMove: Sendable {
  let before: ViewContent
  let after: ViewContent
  /// The objects that only one of both holds.
  let leaving: [ObjectReference]
  let entering: [ObjectReference]
  let isWhole: Bool

  /// A move between two contents. O(*n*) in both.
  init(before: ViewContent, after: ViewContent, isWhole: Bool) {
    self.before = before
    self.after = after
    self.isWhole = isWhole
    leaving = before.subtracting(after)
    entering = after.subtracting(before)
  }

  /// A move that changes nothing.
  init(staying content: ViewContent) {
    (before, after, leaving, entering, isWhole) = (content, content, [], [], false)
  }

  /// A move whose difference is known.
  init(before: ViewContent, _ update: ContentUpdate) {
    self.before = before
    after = update.content
    leaving = update.left.sorted { "\($0)" < "\($1)" }
    entering = update.entered.sorted { "\($0)" < "\($1)" }
    isWhole = false
  }

  /// The timeline of an object that versions touched: held from the start until it is erased, and never again before the
  /// end; from its creation on, when the receiving client made it and holds it in the end.
  ///
  /// - Parameter ownCreation: the version at which the client's own creation of the object was taken.
  func timeline(
    of object: ObjectReference, _ past: PastStates, since start: ServerVersion, existsNow: Bool,
    ownCreation: ServerVersion?
  ) -> ObjectTimeline {
    let touched = past.touched(object, after: start)
    // Whether it existed before the first of the versions, and after each.
    let existence = touched.map(\.part.existed) + [existsNow]
    var places: [ObjectTimeline.Place] = []
    var isHeld = before.contains(object)
    for (number, exists) in existence.enumerated() {
      if number > 0, exists, !existence[number - 1] {
        isHeld = ownCreation == touched[touched.startIndex + number - 1].version && after.contains(object)
      }
      if !exists { isHeld = false }
      places.append(!exists ? .absent : isHeld ? .inside : .outside)
    }
    return ObjectTimeline(versions: touched.map(\.version), places: places)
  }
}
