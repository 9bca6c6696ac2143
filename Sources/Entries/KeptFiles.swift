/// The files of texts that are kept until they are saved.
package struct KeptFiles: Sendable {
  package var objects: Set<ObjectName> = []
  /// Whether all such texts were read. Else any file that no entry has may be one of theirs.
  package var areAll = true

  package init() {}
}
