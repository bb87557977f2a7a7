// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "StorageEngine",
  products: [
    .library(name: "StorageEngine", targets: ["StorageEngine"]),
    .library(name: "SQLiteDatabase", targets: ["SQLiteDatabase"]),
  ],
  dependencies: [
    .package(path: "../ByteCoding"),
    .package(path: "../Cryptography"),
    .package(path: "../DataModel"),
    .package(path: "../TestKit"),
  ],
  targets: [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CStorageSupport"),
    .target(name: "CWriteBuffer", dependencies: ["CSQLite"]),
    .target(name: "SQLiteDatabase", dependencies: ["CSQLite", "CWriteBuffer"]),
    .target(name: "CSimulatedDisk", dependencies: ["CSQLite"]),
    .target(
      name: "StorageEngine",
      dependencies: ["SQLiteDatabase", "CStorageSupport", "ByteCoding", "Cryptography", "DataModel"]),
    .executableTarget(
      name: "StorageExerciser", dependencies: ["StorageEngine", "SQLiteDatabase", "CSimulatedDisk"]),
    .testTarget(name: "SQLiteDatabaseTests", dependencies: ["SQLiteDatabase"]),
    .testTarget(
      name: "StorageEngineTests",
      dependencies: ["StorageEngine", "SQLiteDatabase", "CSQLite", "StorageExerciser", "CSimulatedDisk", "TestKit"]),
  ]
)
