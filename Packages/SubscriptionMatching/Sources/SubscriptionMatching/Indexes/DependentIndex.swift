/// The queries that need state, by the classes that they depend on.
struct DependentIndex: Sendable {
  private struct Entry: Sendable {
    var slots = SlotSet()
    var reads = PropertyMaskUnion()
    /// The queries whose outcome shows objects of the class whole.
    var shown = SlotSet()
  }

  private var classes: [String: Entry] = [:]
  /// The queries that count links from everywhere.
  private var everywhere = SlotSet()

  var isEmpty: Bool { classes.isEmpty }

  mutating func insert(_ slot: Int, _ reads: ReadSet) {
    for (className, mask) in reads.classes {
      classes[className, default: Entry()].slots.insert(slot)
      classes[className]?.reads.add(mask)
      if reads.shown.contains(className) { classes[className]?.shown.insert(slot) }
    }
    if reads.isEverything { everywhere.insert(slot) }
  }

  mutating func remove(_ slot: Int, _ reads: ReadSet) {
    for (className, mask) in reads.classes {
      classes[className]?.slots.remove(slot)
      classes[className]?.reads.remove(mask)
      classes[className]?.shown.remove(slot)
      if classes[className]?.slots.isEmpty == true { classes[className] = nil }
    }
    everywhere.remove(slot)
  }

  /// The queries that changes of a class may concern, and whether their membership or only contents of objects.
  ///
  /// - Complexity: one test of bits when no query reads what was changed; otherwise one for each query that reads the
  ///   class.
  func concerns(
    _ className: String, _ touch: ClassTouch, contents: Bool, readSet: (Int) -> ReadSet?,
    _ body: (_ slot: Int, _ membership: Bool) -> Void
  ) {
    for slot in everywhere.slots { body(slot, true) }
    guard let entry = classes[className] else { return }
    if touch.hasInsertionsOrDeletions {
      for slot in entry.slots.slots { body(slot, true) }
      return
    }
    if touch.changed.meets(entry.reads.mask) {
      for slot in entry.slots.slots where readSet(slot)?.classes[className]?.meets(touch.changed) == true {
        body(slot, true)
      }
    }
    if contents { for slot in entry.shown.slots { body(slot, false) } }
  }
}
