import Telemetry

/// A binary heap of events, earliest first; equal instants in the order of insertion. O(log *n*) per event.
struct EventQueue: Sendable {
  enum Work: Sendable {
    case closure(@Sendable () -> Void)
    case job(UnownedJob)
  }

  struct Event: Sendable {
    var instant: MonotonicInstant
    var sequence: UInt64
    var work: Work
    var token: SimulatedTimer?

    func comes(before other: Event) -> Bool { (instant, sequence) < (other.instant, other.sequence) }
  }

  private var heap: [Event] = []

  var count: Int { heap.count }
  var isEmpty: Bool { heap.isEmpty }

  func peek() -> Event? { heap.first }

  mutating func insert(_ event: Event) {
    heap.append(event)
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].comes(before: heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return }
      let right = left + 1
      let child = right < heap.count && heap[right].comes(before: heap[left]) ? right : left
      guard heap[child].comes(before: heap[parent]) else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
