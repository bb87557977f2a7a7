/// A queue: elements leave in the order of their coming.
///
/// - Complexity: O(1) amortised for both ends.
struct FIFOQueue<Element: Sendable>: Sendable {
  private var elements: [Element?] = []
  private var head = 0

  var count: Int { elements.count - head }
  var isEmpty: Bool { head == elements.count }
  var first: Element? { isEmpty ? nil : elements[head] }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    let element = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      // An empty queue keeps no memory: most queues are empty most of the time.
      elements = []
      head = 0
    } else if head > 32, head * 2 > elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Keeps the elements that satisfy a condition. O(*n*).
  mutating func filter(_ isKept: (Element) -> Bool) {
    elements = elements[head...].filter { $0.map(isKept) ?? false }
    head = 0
  }
}
