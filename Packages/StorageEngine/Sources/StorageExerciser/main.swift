// A second process for tests: opens a store and does one thing to it.
//
//     StorageExerciser increment <path> <count>       adds 1 to the counters of every row, that many times
//     StorageExerciser hold <path>                    holds a snapshot, says "ready", checks it when a line comes in
//     StorageExerciser wait <path> <version>          says "ready", then "seen" once that version was observed
//     StorageExerciser churn <path>                   commits until it is killed, saying each version afterwards
//     StorageExerciser write-and-stay <path>          says "ready" within a write transaction, and stays there
//     StorageExerciser share-wal <path>               does what its input says; see WALSharer
//     StorageExerciser read <path>                    as a user without rights: opens read-only, says the value
//
// The environment variable KEY, a number from 0 to 255, encrypts with 64 such bytes.
import Glibc
import StorageEngine

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  say("usage: StorageExerciser increment|hold|wait|churn|write-and-stay|share-wal|read <path> [number]")
  exit(64)
}
let number = arguments.count > 3 ? UInt64(arguments[3]) ?? 0 : 0
do {
  var configuration = StoreConfiguration()
  if let key = getenv("KEY").flatMap({ UInt8(String(cString: $0)) }) {
    configuration.key = EncryptionKey([UInt8](repeating: key, count: 64))
  }
  if arguments[1] == "read" {
    configuration.isReadOnly = true
    // A superuser may write anywhere.
    guard geteuid() != 0 || setuid(65534) == 0 else { throw Exerciser.Failure(description: "no other user") }
  }
  if arguments[1] == "share-wal" {
    var sharer = WALSharer(path: arguments[2])
    try sharer.run()
    exit(0)
  }
  let store = try Store.open(.file(path: arguments[2]), configuration: configuration)
  try Exerciser(store: store).run(arguments[1], number)
} catch {
  say("failed: \(error)")
  exit(1)
}
