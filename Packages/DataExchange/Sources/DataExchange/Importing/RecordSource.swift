import DataModel
import RecordStore

/// The source of an import: a schema, if the format carries one, and objects that can be read twice.
protocol RecordSource {
  /// The classes that the format carries; nil where it carries none.
  var schema: Schema? { get }
  var schemaVersion: UInt64 { get }
  /// The length of the whole, in the unit of ``IncomingRecord/offset``.
  var size: Int { get }
  /// The classes that a realm with the classes `known` lacks, made from the values of a format that carries none. Reads
  /// everything once.
  ///
  /// - Parameter progress: called after each object with the offset behind it.
  /// - Throws: ``ExchangeError`` where the text cannot be read, and the errors of `progress`.
  func inferredClasses(beside known: Schema, _ progress: (_ offset: Int) throws -> Void) throws
    -> [ObjectSchema]
  /// A reader from the first object on: the same ones in the same order each time.
  ///
  /// - Throws: ``ExchangeError`` where the file cannot be opened.
  func records(_ classes: Schema) throws -> any RecordReader
}

/// Reads the objects of a source one after the other. Used by one thread at a time.
protocol RecordReader: AnyObject {
  /// The next object; nil at the end.
  ///
  /// - Throws: ``ExchangeError`` where the text cannot be read any further; a single object that does not fit its class
  ///   has the error in its fields instead.
  func next() throws -> IncomingRecord?
}

/// One object as it was read.
struct IncomingRecord {
  var className: String
  /// Nil for an object that is to get a new key.
  var key: ObjectKey?
  /// The fields, or the reason why the object does not fit.
  var fields: Result<[String: StateDump.Item], ExchangeError>
  /// Its position in the file, for errors found later.
  var origin: ExchangeError
  /// The length of what was read with it: bytes of a text, rows of a database.
  var offset = 0
}

extension IncomingRecord {
  /// The record of a JSON object, or of its first misfit.
  init(_ node: JSONNode, _ object: ObjectSchema, _ codec: JSONCodec, file: String?, number: Int) {
    let place = "\(object.className)[\(number)]"
    className = object.className
    origin = ExchangeError("", at: node.position, in: file, place: place)
    do {
      let fields = try codec.fields(node, object, place)
      var given: ObjectKey?
      if let keyNode = node["$key"] {
        guard object.primaryKey == nil else {
          throw Misfit("objects of \(object.className) are named by '\(object.primaryKey ?? "")'.", keyNode, place)
        }
        given = try codec.key(keyNode, object, place)
      }
      key = try Self.key(fields, object) ?? given
      self.fields = .success(fields)
    } catch let misfit as Misfit {
      self.fields = .failure(ExchangeError(misfit.message, at: misfit.position, in: file, place: misfit.place))
    } catch let error as ExchangeError {
      self.fields = .failure(ExchangeError(error.message, at: node.position, in: file, place: error.place ?? place))
    } catch {
      self.fields = .failure(ExchangeError("\(error)", at: node.position, in: file, place: place))
    }
  }

  /// The key that the primary key property gives; nil for classes without one.
  static func key(_ fields: [String: StateDump.Item], _ object: ObjectSchema) throws -> ObjectKey? {
    guard let name = object.primaryKey else { return nil }
    guard case .value(let value)? = fields[name], let key = ObjectKey(value) else {
      throw ExchangeError("the primary key '\(name)' is missing.")
    }
    return key
  }
}
