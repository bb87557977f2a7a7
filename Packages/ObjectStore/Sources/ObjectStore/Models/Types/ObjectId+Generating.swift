public import DataModel
public import Foundation
import Synchronization
import RecordStore

private let processBytes = (0..<5).map { _ in UInt8.random(in: 0...255) }
private let counter = Atomic<UInt32>(UInt32.random(in: 0..<1 << 24))

extension ObjectId {
  /// A new identifier: four bytes of seconds, five of this process, three of a counter.
  public static func generate() -> ObjectId { ObjectId(Date(), processBytes) }

  /// An identifier of parts: whole seconds, three bytes of a machine, two of a process, three of a counter.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    self.init(
      timestamp,
      [machineId >> 16, machineId >> 8, machineId, processId >> 8, processId].map(UInt8.init(truncatingIfNeeded:)))
  }

  /// Four bytes of seconds, the given five, three of a counter.
  private init(_ date: Date, _ middle: [UInt8]) {
    let count = counter.wrappingAdd(1, ordering: .relaxed).newValue
    var bytes: [UInt8] = []
    OrderedBytes.append(UInt32(truncatingIfNeeded: Timestamp(date).seconds), to: &bytes)
    bytes += middle
    for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    self = ObjectId(bytes: bytes) ?? .zero
  }

  /// The time in the identifier, in whole seconds.
  public var timestamp: Date {
    Date(timeIntervalSince1970: Double(bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
  }
}
