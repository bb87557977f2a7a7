import CLibUV

// @unchecked Sendable: its variables, and those of its subclasses, are touched on the loop's thread only.
/// The owner of one libuv handle, which retains it from opening to the closing callback.
class LoopHandle: @unchecked Sendable {
  let loop: EventLoop
  private(set) var raw: UnsafeMutablePointer<uv_handle_t>?
  private var free: () -> Void = {}

  init(loop: EventLoop) { self.loop = loop }

  /// Allocates and initialises the handle; nil and the error code when libuv refuses.
  func open<Handle>(
    _ type: Handle.Type, _ initialise: (UnsafeMutablePointer<Handle>) -> Int32
  ) -> (handle: UnsafeMutablePointer<Handle>?, code: Int32) {
    guard !loop.isClosing else { return (nil, UV_ECANCELED.rawValue) }
    let handle = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
    let code = initialise(handle)
    guard code == 0 else {
      handle.deallocate()
      return (nil, code)
    }
    let generic = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
    raw = generic
    free = { handle.deallocate() }
    // Retained until `uv_close` calls back, which releases it.
    generic.pointee.data = Unmanaged.passRetained(self).toOpaque()
    return (handle, 0)
  }

  /// Closes the handle; libuv releases it in the next round of the loop.
  func closeHandle() {
    guard let handle = raw else { return }
    raw = nil
    uv_close(handle) { handle in
      guard let data = handle?.pointee.data else { return }
      Unmanaged<LoopHandle>.fromOpaque(data).takeRetainedValue().free()
    }
  }

  /// Called when the loop ends: closes the handle.
  func loopIsShuttingDown() { closeHandle() }
}
