// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ByteCoding",
  products: [.library(name: "ByteCoding", targets: ["ByteCoding"])],
  targets: [
    .target(name: "ByteCoding"),
    .testTarget(name: "ByteCodingTests", dependencies: ["ByteCoding"]),
  ]
)
