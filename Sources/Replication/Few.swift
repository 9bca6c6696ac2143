/// Elements in order, of which there is most often one: it stands in its place without memory of its own.
///
/// It is public for the same reason as ``FieldMap``.
public enum Few<Element> {
  case none
  case one(Element)
  case several([Element])

  @inlinable public init() { self = .none }

  @inlinable public init(_ elements: [Element]) {
    switch elements.count {
    case 0: self = .none
    case 1: self = .one(elements[0])
    default: self = .several(elements)
    }
  }

  @inlinable public init(_ elements: some Sequence<Element>) {
    var iterator = elements.makeIterator()
    guard let first = iterator.next() else {
      self = .none
      return
    }
    guard let second = iterator.next() else {
      self = .one(first)
      return
    }
    var all = [first, second]
    while let next = iterator.next() { all.append(next) }
    self = .several(all)
  }

  @inlinable public mutating func append(_ element: Element) {
    switch self {
    case .none: self = .one(element)
    case .one(let first): self = .several([first, element])
    case .several(var elements):
      self = .none
      elements.append(element)
      self = .several(elements)
    }
  }

  /// The same of other elements.
  @inlinable public func each<Other, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Other
  ) throws(Failure) -> Few<Other> {
    switch self {
    case .none: return .none
    case .one(let element): return .one(try transform(element))
    case .several(let elements):
      var others: [Other] = []
      others.reserveCapacity(elements.count)
      for element in elements { others.append(try transform(element)) }
      return .several(others)
    }
  }

  /// The same without those that come to nothing.
  @inlinable public func compactEach<Other>(_ transform: (Element) -> Other?) -> Few<Other> {
    switch self {
    case .none: .none
    case .one(let element): transform(element).map(Few<Other>.one) ?? .none
    case .several(let elements): Few<Other>(elements.compactMap(transform))
    }
  }

  @inlinable public func filter(_ isIncluded: (Element) -> Bool) -> Few {
    switch self {
    case .none: .none
    case .one(let element): isIncluded(element) ? self : .none
    case .several(let elements): Few(elements.filter(isIncluded))
    }
  }
}

extension Few: RandomAccessCollection {
  @inlinable public var startIndex: Int { 0 }

  @inlinable public var endIndex: Int {
    switch self {
    case .none: 0
    case .one: 1
    case .several(let elements): elements.count
    }
  }

  @inlinable public subscript(place: Int) -> Element {
    switch self {
    case .one(let element):
      precondition(place == 0)
      return element
    case .several(let elements): return elements[place]
    case .none: preconditionFailure("there is none")
    }
  }
}

extension Few: ExpressibleByArrayLiteral {
  @inlinable public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension Few: Equatable where Element: Equatable {}
extension Few: Hashable where Element: Hashable {}
extension Few: Sendable where Element: Sendable {}
