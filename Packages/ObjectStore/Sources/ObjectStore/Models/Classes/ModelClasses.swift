import Glibc
import Synchronization

/// The model classes of this program, for realms without object types.
enum ModelClasses {
  /// The subclasses of `Object`, `EmbeddedObject` and `AsymmetricObject` that declare properties and belong to the default schema. When the
  /// runtime does not enumerate its classes, those that were used so far.
  static var all: [ObjectBase.Type] {
    for type in found where type.shouldIncludeInDefaultSchema() { _ = ClassBinding.of(type) }
    return ClassBinding.known.map(\.type)
  }

  private static let found = {
    RuntimeLayout.check()
    return MetadataScanner().subclasses(of: [Object.self, EmbeddedObject.self, AsymmetricObject.self])
  }()
}

/// Finds subclasses in the type records that the compiler puts into every image of a program. Classes other than those
/// found are not initialised.
///
///     record      32-bit offset to a descriptor
///     descriptor  0 flags   12 offset to the metadata accessor   20 offset to the name of the superclass
///     name        1, 32-bit offset to the superclass's descriptor; or 2, offset to a pointer to it
///
/// - SeeAlso: "ABI: Type Metadata" in the documentation of the Swift compiler.
struct MetadataScanner {
  private typealias Body = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> Bool
  private typealias Enumerate = @convention(c) (Body, UnsafeMutableRawPointer?) -> Void
  private typealias Accessor = @convention(c) (UInt) -> UnsafeRawPointer

  /// Descriptors of classes by the descriptor of their superclass.
  private var children: [UnsafeRawPointer: [UnsafeRawPointer]] = [:]

  /// Reads the records of all images.
  init() {
    guard let symbol = dlsym(nil, "swift_enumerateAllMetadataSections") else { return }
    withUnsafeMutablePointer(to: &children) { children in
      // The cast holds: the runtime declares `void swift_enumerateAllMetadataSections(body, context)`.
      unsafeBitCast(symbol, to: Enumerate.self)(
        { sections, context in
          // Version, base, two unused words, then start and length of each section; types are the third.
          let words = sections.assumingMemoryBound(to: UInt.self)
          guard words[0] >= 2, let start = UnsafeRawPointer(bitPattern: words[8]), let context else { return true }
          let children = context.assumingMemoryBound(to: [UnsafeRawPointer: [UnsafeRawPointer]].self)
          for number in 0..<Int(words[9] / 4) {
            guard let descriptor = MetadataScanner.descriptor(start + number * 4),
              let superclass = MetadataScanner.superclass(descriptor)
            else { continue }
            children.pointee[superclass, default: []].append(descriptor)
          }
          return true
        }, UnsafeMutableRawPointer(children))
    }
  }

  /// Whether the offsets 12, 20 and 40 lead from a known class to its accessor, its superclass and its descriptor. See
  /// ``RuntimeLayout``.
  static var isLayoutKnown: Bool {
    guard let object = descriptor(of: Object.self), let base = descriptor(of: ObjectBase.self),
      isClass(object.loadUnaligned(as: UInt32.self))
    else { return false }
    return superclass(object) == base && type(object) == Object.self
  }

  /// The subclasses of some classes, at any depth.
  func subclasses(of types: [ObjectBase.Type]) -> [ObjectBase.Type] {
    var queue = types.compactMap { Self.descriptor(of: $0) }
    var found: [ObjectBase.Type] = []
    while let next = queue.popLast() {
      for child in children[next] ?? [] {
        queue.append(child)
        if let type = Self.type(child) as? ObjectBase.Type { found.append(type) }
      }
    }
    return found
  }

  private static func offset(_ place: UnsafeRawPointer) -> Int { Int(place.loadUnaligned(as: Int32.self)) }

  /// The descriptor of a class that is not generic, from its record.
  private static func descriptor(_ record: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = offset(record)
    guard distance != 0, distance & 3 == 0 else { return nil }
    let descriptor = record + distance
    return isClass(descriptor.loadUnaligned(as: UInt32.self)) ? descriptor : nil
  }

  /// Whether the flags of a descriptor are those of a class that is not generic.
  private static func isClass(_ flags: UInt32) -> Bool { flags & 0x1F == 16 && flags & 0x80 == 0 }

  private static func superclass(_ descriptor: UnsafeRawPointer) -> UnsafeRawPointer? {
    let distance = offset(descriptor + 20)
    guard distance != 0 else { return nil }
    let name = descriptor + 20 + distance
    let target = name + 1 + offset(name + 1)
    switch name.load(as: UInt8.self) {
    case 1: return target
    case 2: return target.loadUnaligned(as: UnsafeRawPointer?.self)
    default: return nil
    }
  }

  /// The descriptor of a class: word 5 of its metadata. The cast holds: a class type is a pointer to its metadata.
  private static func descriptor(of type: ObjectBase.Type) -> UnsafeRawPointer? {
    (unsafeBitCast(type, to: UnsafeRawPointer.self) + 40).load(as: UnsafeRawPointer?.self)
  }

  /// The class of a descriptor. The casts hold: the accessor of a class that is not generic takes a request and returns
  /// its metadata.
  private static func type(_ descriptor: UnsafeRawPointer) -> AnyObject.Type {
    let accessor = unsafeBitCast(descriptor + 12 + offset(descriptor + 12), to: Accessor.self)
    return unsafeBitCast(accessor(0), to: AnyObject.Type.self)
  }
}
