// A second process for tests: opens a store and does one thing to it.
//
//     StorageExerciser increment <path> <count>       adds 1 to the counters of every row, that many times
//     StorageExerciser hold <path>                    pins a snapshot, says "ready", checks it when a line comes in
//     StorageExerciser wait <path> <version>          says "ready", then "seen" once that version was observed
//     StorageExerciser churn <path>                   commits until it is killed, saying each version afterwards
import Glibc
import StorageEngine

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
  say("usage: StorageExerciser increment|hold|wait|churn <path> [number]")
  exit(64)
}
let number = arguments.count > 3 ? UInt64(arguments[3]) ?? 0 : 0
do {
  try Exerciser(store: Store.open(.file(path: arguments[2]))).run(arguments[1], number)
} catch {
  say("failed: \(error)")
  exit(1)
}
