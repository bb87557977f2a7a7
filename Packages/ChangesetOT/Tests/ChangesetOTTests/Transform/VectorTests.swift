import ChangesetOT
import ChangesetOTTestSupport
import Testing

@Suite("merge vectors")
struct VectorTests {
  @Test("every vector holds in every way that it prescribes", arguments: [Transformer.Engine.plain, .fast])
  func vectors(engine: Transformer.Engine) throws {
    let files = try VectorFile.all()
    for file in files {
      #expect(!file.cases.isEmpty)
      for vector in file.cases {
        let failures = vector.failures(Transformer(engine: engine))
        #expect(failures.isEmpty, "\(file.path): \(failures.joined(separator: "\n"))")
      }
    }
  }

  @Test("in reference mode exactly the known errors miss their vector")
  func referenceMode() throws {
    for file in try VectorFile.all() {
      for vector in file.cases where !vector.referenceDiverges {
        let failures = vector.failures(Transformer(mode: .reference, engine: .plain))
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
      }
      for vector in file.cases where vector.referenceDiverges {
        #expect(!vector.failures(Transformer(mode: .reference, engine: .plain)).isEmpty, "\(vector)")
      }
    }
  }
}
