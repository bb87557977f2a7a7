import CSimulatedDisk
import Foundation
import TestKit

/// The recorded operations on the files of a store, and the disks that a power loss at any moment of them may leave.
///
/// Synced content is there. Of the writes since, any part may be: none, all, or some sectors of some writes in any
/// order.
struct DiskImages {
  enum Operation {
    case write(offset: Int, bytes: [UInt8])
    case truncate(Int)
    case sync
    case delete
    case mark(Int64)
  }

  /// The part of the unsynced writes that is on the disk.
  enum Loss: CaseIterable { case everything, nothing, some }

  static let sectorSize = 512
  /// Bytes that reach the system at a time.
  private static let pieceSize = 2048

  let events: [(path: String, operation: Operation)]

  /// Takes over the recording, and ends it.
  static func taken() -> DiskImages {
    let events = (0..<simulated_disk_event_count()).flatMap { index -> [(String, Operation)] in
      let event = simulated_disk_event_at(index)
      let path = event.path.map { String(cString: $0) } ?? ""
      let bytes = Array(UnsafeRawBufferPointer(start: event.bytes, count: event.count))
      switch UInt32(event.kind) {
      // The power may fail within a write, too.
      case SIMULATED_DISK_WRITE.rawValue:
        return stride(from: 0, to: bytes.count, by: pieceSize).map { start in
          let piece = bytes[start..<min(start + pieceSize, bytes.count)]
          return (path, .write(offset: Int(event.offset) + start, bytes: Array(piece)))
        }
      case SIMULATED_DISK_TRUNCATE.rawValue: return [(path, .truncate(Int(event.offset)))]
      case SIMULATED_DISK_SYNC.rawValue: return [(path, .sync)]
      case SIMULATED_DISK_DELETE.rawValue: return [(path, .delete)]
      default: return [(path, .mark(event.offset))]
      }
    }
    simulated_disk_record(0)
    return DiskImages(events: events)
  }

  /// The certain content of one file, and the operations since.
  private struct File {
    var content: [UInt8]?
    var pending: [Operation] = []
    /// Whether the file was synced since it was made. The first sync of a log brings the folder to disk, too.
    var isSettled = false

    mutating func apply(_ operation: Operation) {
      switch operation {
      case .write(let offset, let bytes):
        var file = content ?? []
        if file.count < offset + bytes.count { file += [UInt8](repeating: 0, count: offset + bytes.count - file.count) }
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        content = file
      case .truncate(let size): content = Array((content ?? []).prefix(size))
      case .delete:
        content = nil
        isSettled = false
      case .sync, .mark: break
      }
    }

    /// The possible contents of the file, if pending operations are lost in that way.
    func after(_ loss: Loss, using random: inout SeededGenerator) -> [UInt8]? {
      var file = self
      switch loss {
      case .everything: break
      case .nothing: for operation in pending { file.apply(operation) }
      case .some:
        // A deletion that did not happen leaves the old file, and the content of a new one is lost.
        let end = pending.firstIndex { if case .delete = $0 { random.oneIn(2) } else { false } } ?? pending.count
        var kept: [Operation] = []
        for operation in pending[..<end] {
          guard case .write(let offset, let bytes) = operation else {
            if !random.oneIn(3) { kept.append(operation) }
            continue
          }
          let isTorn = random.oneIn(2)
          for start in stride(from: 0, to: bytes.count, by: DiskImages.sectorSize)
          where isTorn ? random.oneIn(2) : true {
            let sector = bytes[start..<min(start + DiskImages.sectorSize, bytes.count)]
            kept.append(.write(offset: offset + start, bytes: Array(sector)))
          }
        }
        // Sectors reach the disk in any order, save that the later of two writes of one sector is the one that stays:
        // the system keeps one copy of each. So order matters with truncations only, which stay where they are.
        for operation in kept where !random.oneIn(4) { file.apply(operation) }
      }
      return file.content
    }
  }

  /// Calls `body` for the possible disks after the first events, one more each time.
  ///
  /// - Parameters:
  ///   - isChosen: whether the moment after so many events is tested.
  ///   - body: receives the files by path, and the last mark made before.
  func forEach(
    seed: UInt64, where isChosen: (Int) -> Bool, losses: [Loss],
    _ body: (_ moment: Int, _ loss: Loss, _ files: [String: [UInt8]], _ mark: Int64) throws -> Void
  ) rethrows {
    var random = SeededGenerator(seed: seed)
    var files: [String: File] = [:]
    var mark: Int64 = 0
    for moment in 0...events.count {
      if isChosen(moment) {
        for loss in losses {
          try body(moment, loss, files.compactMapValues { $0.after(loss, using: &random) }, mark)
        }
      }
      guard moment < events.count else { return }
      let (path, operation) = events[moment]
      switch operation {
      case .mark(let value): mark = value
      case .sync:
        let isNewLog = files[path]?.isSettled != true && !path.hasSuffix(".realm")
        for done in files[path]?.pending ?? [] { files[path]?.apply(done) }
        files[path]?.pending = []
        files[path]?.isSettled = true
        guard isNewLog else { continue }
        for (other, file) in files where other != path {
          guard let end = file.pending.lastIndex(where: { if case .delete = $0 { true } else { false } }) else {
            continue
          }
          for done in file.pending[...end] { files[other]?.apply(done) }
          files[other]?.pending.removeSubrange(...end)
        }
      default: files[path, default: File()].pending.append(operation)
      }
    }
  }
}
