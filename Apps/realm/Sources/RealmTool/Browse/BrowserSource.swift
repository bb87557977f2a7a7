import DataModel
import QueryLanguage
import RecordStore

/// Answers the effects of the browser from a realm file. Used by one thread at a time.
struct BrowserSource {
  let file: RealmFile

  /// The messages that an effect leads to.
  func perform(_ effect: BrowserScreen.Effect) -> [BrowserScreen.Message] {
    do {
      switch effect {
      case .loadClasses:
        let contents = try file.contents()
        return [
          .classes(
            contents.schema.objectSchema.map { BrowserClass(schema: $0, count: contents.count(of: $0.className)) })
        ]
      case .load(let className, let selection, let start, let count):
        let page = try page(className, selection, start, count)
        return [.page(BrowserPage(className: className, selection: selection, start: start, page: page))]
      case .edit(let edit, let label):
        try file.edit { editor in
          switch edit {
          case .set(let object, let field, let item): try editor.set([field: item], of: object)
          case .erase(let object): try editor.erase(object)
          }
        }
        return [.edited(label), .changed]
      }
    } catch let error as QueryError {
      return [.refused(error, error.text)]
    } catch let error as RecordStoreError {
      return [.failed(error.message)]
    } catch { return [.failed("\(error)")] }
  }

  private func page(
    _ className: String, _ selection: GridView.Selection, _ start: Int, _ count: Int
  ) throws -> ObjectPage {
    let contents = try file.contents()
    switch selection {
    case .query(let text): return try contents.page(of: className, matching: text, from: start, count: count)
    case .objects(let keys):
      let shown = keys.dropFirst(start).prefix(count)
      let records = try shown.compactMap { try contents.object(ObjectReference(className: className, key: $0)) }
      return ObjectPage(total: keys.count - shown.count + records.count, records: records)
    }
  }
}
