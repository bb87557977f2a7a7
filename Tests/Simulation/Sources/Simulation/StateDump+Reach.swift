import DataModel
import RecordStore

extension StateDump {
  /// The part that some objects make up together with all that they lead to over links, as query-based sync holds it.
  ///
  /// - Complexity: O(*n*) in the values of the part.
  func reach(from roots: [ObjectReference]) -> StateDump {
    var reached = StateDump(objects: objects.mapValues { _ in [:] })
    var waiting = roots
    while let object = waiting.popLast() {
      guard let fields = objects[object.className]?[object.key] else { continue }
      guard reached.objects[object.className]?.updateValue(fields, forKey: object.key) == nil else { continue }
      for item in fields.values { waiting += item.links }
    }
    return reached
  }
}
