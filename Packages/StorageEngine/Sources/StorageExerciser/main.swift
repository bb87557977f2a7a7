import Glibc
import StorageEngine

print("usage: StorageExerciser")
