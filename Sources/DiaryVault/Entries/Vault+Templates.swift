package import Entries
internal import Text

extension Snapshot {
  /// By name, as search folds it: two devices may have made them in another order.
  package func templates() throws(VaultError) -> [EntryTemplate] {
    try catalogue.templates().templates.map { (key: SearchText.fold($0.name), $0) }
      .sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.1)
  }
}

extension Vault {
  /// Makes a template, or changes the text of the one with that name; nil removes it.
  ///
  /// - Parameters:
  ///   - isNew: whether there must be none of that name yet, or one.
  ///   - expected: the text that it must still have; nil for any.
  package func setTemplate(
    _ name: String, body: String?, isNew: Bool, expected: String? = nil
  ) throws(VaultError) {
    try change { edit throws(VaultError) in
      var list = try edit.templatesList()
      let templates = list.templates
      let place = list.place(of: name)
      if isNew, place != nil {
        throw VaultError(.conflict, .template, name, .isThereAlready)
      }
      if !isNew, place == nil {
        throw VaultError(.notFound, .template, name, candidates: templates.map(\.name))
      }
      if let place, let expected, templates[place].body != expected {
        throw VaultError(.conflict, .template, name, .wasEditedMeanwhile)
      }
      try list.set(name, to: body)
      edit.setTemplates(list)
    }
  }
}

extension TemplateList {
  /// Where the template of a name stands, however it is written.
  func place(of name: String) -> Int? {
    let key = SearchText.fold(name)
    return templates.firstIndex { SearchText.fold($0.name) == key }
  }

  /// Makes a template, or changes the text of the one with that name; nil removes it.
  mutating func set(_ name: String, to body: String?) throws(VaultError) {
    try NameRegister.check(name, .template)
    if let body, body.utf8.count > EntryTemplate.bodyLimit || body.utf8.contains(0) {
      throw VaultError(.template, expected: .atMostBytesWithoutNUL(EntryTemplate.bodyLimit))
    }
    switch (place(of: name), body) {
    case (let place?, let body?):
      templates[place] = EntryTemplate(name: templates[place].name, body: body)
    case (let place?, nil): templates.remove(at: place)
    case (nil, let body?): templates.append(EntryTemplate(name: name, body: body))
    case (nil, nil): break
    }
    guard templates.count <= Self.countLimit else {
      throw VaultError(.templates, expected: .atMost(Self.countLimit))
    }
  }
}
