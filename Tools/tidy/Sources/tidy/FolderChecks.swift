import Foundation

/// A bound on how many pairs of folders may name each other's types.
///
/// A pair is mutual when a file of either folder names a type that the other declares at its top level. Mutual folders
/// can only be understood together, so the number measures how far folder names can be trusted.
struct FolderBound: Sendable {
  /// Folders of sources whose pairs are counted together.
  var roots: [String]
  /// True when the folder that a file lies in counts; false when the first folder below the root does.
  var countsLeaves: Bool
  var mostPairs: Int
}

let folderBounds = [
  FolderBound(
    roots: ["Packages/ObjectStore/Sources/RecordStore", "Packages/ObjectStore/Sources/ObjectStore"],
    countsLeaves: false, mostPairs: 8),
  FolderBound(roots: ["Packages/StorageEngine/Sources/StorageEngine"], countsLeaves: true, mostPairs: 5),
]

/// Folders that name each other stay few.
let mutualFolders = Check(
  name: "mutual folders",
  run: { repository in
    folderBounds.compactMap { bound in
      let pairs = mutualPairs(of: bound, in: repository)
      guard pairs.count > bound.mostPairs else { return nil }
      let list = pairs.map { "\($0.0) and \($0.1)" }.joined(separator: ", ")
      return Finding(
        path: bound.roots[0], line: nil,
        message: "\(pairs.count) pairs of folders name each other, at most \(bound.mostPairs) may: \(list)")
    }
  },
  canary: crowdedFolders())

/// The mutual pairs of one bound, in alphabetical order.
func mutualPairs(of bound: FolderBound, in repository: Repository) -> [(String, String)] {
  var pairs: [(String, String)] = []
  for root in bound.roots {
    var folders: [String: FolderNames] = [:]
    for path in repository.paths where path.hasPrefix(root + "/") && path.hasSuffix(".swift") {
      var parts = path.dropFirst(root.count + 1).split(separator: "/").dropLast().map(String.init)
      if !bound.countsLeaves { parts = Array(parts.prefix(1)) }
      let code = codeOnly(repository.text(path))
      folders[parts.joined(separator: "/"), default: FolderNames()].add(code)
    }
    let names = folders.keys.sorted()
    for (position, name) in names.enumerated() {
      for other in names.dropFirst(position + 1) {
        guard let one = folders[name], let two = folders[other] else { continue }
        if one.names(two), two.names(one) { pairs.append((name, other)) }
      }
    }
  }
  return pairs
}

/// The types that the files of a folder declare, and the words that they use.
private struct FolderNames {
  var declared: Set<String> = []
  var used: Set<String> = []

  mutating func add(_ code: String) {
    declared.formUnion(topLevelTypes(code))
    used.formUnion(capitalisedWords(code))
  }

  func names(_ other: FolderNames) -> Bool {
    !used.intersection(other.declared).subtracting(declared).isEmpty
  }
}

/// Four folders of which each names the three others: six mutual pairs.
private func crowdedFolders() -> [String: String] {
  var files: [String: String] = [:]
  for number in 0..<4 {
    let others = (0..<4).filter { $0 != number }.map { "  var v\($0): T\($0)\n" }.joined()
    files["Packages/StorageEngine/Sources/StorageEngine/F\(number)/T\(number).swift"] =
      "struct T\(number) {\n\(others)}\n"
  }
  return files
}
