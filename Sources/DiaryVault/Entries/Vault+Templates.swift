package import Entries
internal import Text

extension Snapshot {
  package func templates() throws(VaultError) -> [EntryTemplate] {
    try catalogue.templates().templates
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
    try NameRegister.check(name, .template)
    if let body {
      guard body.utf8.count <= EntryTemplate.bodyLimit, !body.utf8.contains(0) else {
        throw VaultError(.template, expected: .atMostBytesWithoutNUL(EntryTemplate.bodyLimit))
      }
    }
    try change { edit throws(VaultError) in
      var list = try edit.templatesList()
      let templates = list.templates
      let key = SearchText.fold(name)
      let place = templates.firstIndex { SearchText.fold($0.name) == key }
      if isNew, place != nil {
        throw VaultError(.conflict, .template, name, .isThereAlready)
      }
      if !isNew, place == nil {
        throw VaultError(.notFound, .template, name, candidates: templates.map(\.name))
      }
      if let place, let expected, templates[place].body != expected {
        throw VaultError(.conflict, .template, name, .wasEditedMeanwhile)
      }
      switch (place, body) {
      case (let place?, let body?):
        list.templates[place] = EntryTemplate(name: templates[place].name, body: body)
      case (let place?, nil): list.templates.remove(at: place)
      case (nil, let body?): list.templates.append(EntryTemplate(name: name, body: body))
      case (nil, nil): break
      }
      guard list.templates.count <= TemplateList.countLimit else {
        throw VaultError(.templates, expected: .atMost(TemplateList.countLimit))
      }
      edit.setTemplates(list)
    }
  }
}
