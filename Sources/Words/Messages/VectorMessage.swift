/// Files that are not face vectors.
package enum VectorMessage: Sendable {
  case empty(String)
  case notVectors(String)
  case vectorForms
  case malformed(source: String, place: String, expected: String)
  case notFinite(source: String, row: Int, component: Int)
  case allZero(source: String, row: Int)
  case dimension(source: String, count: Int)
  case unequalRows(source: String, row: Int, count: Int, expected: Int)
  case elementType(source: String, type: String)
  case pickled(String)
  case saveWithoutPickle
  case fortranOrder(String)
  case saveContiguous
  case shape(source: String, shape: String)
  case truncated(source: String, found: Int, expected: Int)
  case trailingBytes(source: String, offset: Int)
  case tooManyRows(source: String, limit: Int)
  case tooFewFrames(source: String, found: Int, wanted: Int)
  case otherDimension(source: String, found: Int, expected: Int)
  case otherModel(source: String, found: String, expected: String)
}
