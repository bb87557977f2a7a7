// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "RealmSwift",
  products: [.library(name: "RealmSwift", targets: ["RealmSwift"])],
  dependencies: [.package(path: "../ObjectStore")],
  targets: [.target(name: "RealmSwift", dependencies: ["ObjectStore"])]
)
