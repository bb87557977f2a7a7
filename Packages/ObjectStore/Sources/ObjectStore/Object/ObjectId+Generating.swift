public import DataModel
public import Foundation
import Synchronization

private let processBytes = (0..<5).map { _ in UInt8.random(in: 0...255) }
private let counter = Atomic<UInt32>(UInt32.random(in: 0..<1 << 24))

extension ObjectId {
  /// A new identifier: four bytes of seconds, five of this process, three of a counter.
  public static func generate() -> ObjectId {
    let seconds = UInt32(truncatingIfNeeded: Int64(Date().timeIntervalSince1970))
    let count = counter.wrappingAdd(1, ordering: .relaxed).newValue
    var bytes: [UInt8] = []
    for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: seconds >> shift)) }
    bytes += processBytes
    for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: count >> shift)) }
    return ObjectId(bytes: bytes) ?? .zero
  }

  /// The time in the identifier, in whole seconds.
  public var timestamp: Date {
    Date(timeIntervalSince1970: Double(bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
  }
}

extension ObjectId {
  /// An identifier of parts: whole seconds, three bytes of a machine, two of a process, three of a counter.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let seconds = UInt32(truncatingIfNeeded: Int64(timestamp.timeIntervalSince1970))
    let count = counter.wrappingAdd(1, ordering: .relaxed).newValue
    var bytes: [UInt8] = []
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: seconds >> UInt32(shift))) }
    for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: machineId >> shift)) }
    for shift in [8, 0] { bytes.append(UInt8(truncatingIfNeeded: processId >> shift)) }
    for shift in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: count >> UInt32(shift))) }
    self = ObjectId(bytes: bytes) ?? .zero
  }
}
