// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Studio",
  products: [.library(name: "Studio", targets: ["Studio"])],
  dependencies: [.package(path: "../Transport")],
  targets: [
    .target(name: "CStudioPages", exclude: ["Pages"]),
    .target(name: "Studio", dependencies: ["CStudioPages", "Transport"]),
    .testTarget(name: "StudioTests", dependencies: ["Studio", "Transport"]),
  ]
)
