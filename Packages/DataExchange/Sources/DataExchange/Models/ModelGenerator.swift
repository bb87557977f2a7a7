public import DataModel

/// Writes model classes from a schema, for the Realm SDK of a language.
///
///     ModelGenerator(.swift).code(for: contents.schema)
///     // import RealmSwift
///     //
///     // class Dog: Object {
///     //   @Persisted(primaryKey: true) var id: Int
///     //   @Persisted var name: String
///     // }
public struct ModelGenerator: Sendable {
  /// The languages that have a Realm SDK.
  public enum Language: String, CaseIterable, Sendable {
    /// Swift, for RealmSwift.
    case swift
    /// Kotlin, for Realm Kotlin.
    case kotlin
    /// Java, for Realm Java.
    case java
    /// JavaScript, for Realm JavaScript.
    case javascript
    /// TypeScript, for Realm JavaScript.
    case typescript
    /// C#, for Realm .NET.
    case csharp
    /// Dart, for Realm Flutter.
    case dart
  }

  /// The language of the code.
  public let language: Language

  /// A generator for one language.
  public init(_ language: Language) { self.language = language }

  /// A whole source file. Classes are ordered by name, properties as in the schema. O(n log n), n the number of classes.
  public func code(for schema: Schema) -> String {
    let classes = schema.objectSchema.sorted { $0.className < $1.className }
    let writer: any ModelWriter =
      switch language {
      case .swift: SwiftModels(schema: schema)
      case .kotlin: KotlinModels(schema: schema)
      case .java: JavaModels(schema: schema)
      case .javascript: JavaScriptModels(schema: schema, isTyped: false)
      case .typescript: JavaScriptModels(schema: schema, isTyped: true)
      case .csharp: CSharpModels(schema: schema)
      case .dart: DartModels(schema: schema)
      }
    return ([writer.header] + classes.map(writer.code)).joined(separator: "\n")
  }
}

/// Writes the models of one language.
protocol ModelWriter {
  var schema: Schema { get }
  /// The text before the first class.
  var header: String { get }
  func code(_ object: ObjectSchema) -> String
}

extension ModelWriter {
  func isEmbedded(_ property: Property) -> Bool {
    property.objectClassName.flatMap { schema[$0] }?.kind == .embedded
  }
}

/// Makes names of a file fit for code.
enum CodeName {
  /// The name with everything that is no letter, digit or underscore replaced; never empty, never beginning with a digit.
  static func identifier(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      let isPlain = scalar == "_" || scalar.properties.isAlphabetic || (scalar.properties.numericType == .decimal)
      if isPlain { result.unicodeScalars.append(scalar) } else { result += "_" }
    }
    guard let first = result.unicodeScalars.first else { return "_" }
    return first.properties.numericType == .decimal ? "_" + result : result
  }

  /// A text literal as all languages but Kotlin and Dart read it, in which a dollar sign means more.
  static func literal(_ text: String) -> String { JSONText.quoted(text) }

  /// The name as the languages with capitalised properties write it.
  static func capitalized(_ name: String) -> String {
    let name = identifier(name)
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}
