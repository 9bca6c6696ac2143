/// A field of an entry, by its number in the vault's table of fields.
public typealias Field = UInt8

/// Something of each field of an entry, in the order of their numbers: an entry has some twenty, which are looked through faster than
/// they are hashed.
///
/// It is public, as ``SortedSet`` is, because the compiler specialises what is public and inlinable in the rooms above. Unspecialised it
/// takes three times as long.
public struct FieldMap<Value> {
  @usableFromInline var fields: [Field] = []
  @usableFromInline var contents: [Value] = []

  @inlinable public init() {}

  @inlinable public subscript(field: Field) -> Value? {
    get { fields.firstIndex(of: field).map { contents[$0] } }
    set {
      if let place = fields.firstIndex(of: field) {
        if let newValue {
          contents[place] = newValue
        } else {
          fields.remove(at: place)
          contents.remove(at: place)
        }
      } else if let newValue {
        let place = fields.firstIndex { $0 > field } ?? fields.count
        fields.insert(field, at: place)
        contents.insert(newValue, at: place)
      }
    }
  }

  @inlinable public var keys: [Field] { fields }
  @inlinable public var values: [Value] { contents }
  @inlinable public var isEmpty: Bool { fields.isEmpty }
  @inlinable public var count: Int { fields.count }

  @inlinable public mutating func reserveCapacity(_ count: Int) {
    fields.reserveCapacity(count)
    contents.reserveCapacity(count)
  }

  /// Adds a field whose number is above all others'.
  @inlinable public mutating func append(_ field: Field, _ value: Value) {
    precondition(fields.last.map { $0 < field } ?? true)
    fields.append(field)
    contents.append(value)
  }

  @inlinable public func mapValues<Other, Failure: Error>(
    _ transform: (Value) throws(Failure) -> Other
  ) throws(Failure) -> FieldMap<Other> {
    var mapped = FieldMap<Other>()
    mapped.reserveCapacity(count)
    for (field, value) in self { mapped.append(field, try transform(value)) }
    return mapped
  }

  @inlinable public func filter(_ isIncluded: (Element) -> Bool) -> FieldMap {
    var filtered = FieldMap()
    for (field, value) in self where isIncluded((field, value)) { filtered.append(field, value) }
    return filtered
  }
}

/// The values of fields, as their bytes.
package typealias FieldValues = FieldMap<Few<[UInt8]>>

extension FieldMap: Sequence {
  public typealias Element = (key: Field, value: Value)

  public struct Iterator: IteratorProtocol {
    @usableFromInline let map: FieldMap
    @usableFromInline var place = 0

    @inlinable init(_ map: FieldMap) { self.map = map }

    @inlinable public mutating func next() -> (key: Field, value: Value)? {
      guard place < map.fields.count else { return nil }
      defer { place += 1 }
      return (map.fields[place], map.contents[place])
    }
  }

  @inlinable public func makeIterator() -> Iterator { Iterator(self) }
}

extension FieldMap: ExpressibleByDictionaryLiteral {
  @inlinable public init(dictionaryLiteral elements: (Field, Value)...) {
    for (field, value) in elements { self[field] = value }
  }
}

extension FieldMap: Equatable where Value: Equatable {}
extension FieldMap: Hashable where Value: Hashable {}
extension FieldMap: Sendable where Value: Sendable {}

/// A set of few elements, in order. Most have one.
public struct SortedSet<Element: Comparable> {
  @usableFromInline var elements = Few<Element>()

  @inlinable public init() {}

  @inlinable public init(_ elements: some Sequence<Element>) {
    self.elements = Few(elements)
    guard case .several(var several) = self.elements else { return }
    several.sort()
    var count = 1
    for place in 1..<several.count where several[place] != several[count - 1] {
      several[count] = several[place]
      count += 1
    }
    several.removeSubrange(count...)
    self.elements = Few(several)
  }

  /// Where an element is, or would be.
  @inlinable func place(of element: Element) -> Int {
    var (low, high) = (0, elements.count)
    while low < high {
      let middle = (low + high) / 2
      if elements[middle] < element { low = middle + 1 } else { high = middle }
    }
    return low
  }

  @inlinable public func contains(_ element: Element) -> Bool {
    let place = place(of: element)
    return place < elements.count && elements[place] == element
  }

  /// Adds an element that is above all others.
  @inlinable mutating func append(_ element: Element) { elements.append(element) }

  @inlinable public func filter(_ isIncluded: (Element) -> Bool) -> SortedSet {
    var filtered = SortedSet()
    filtered.elements = elements.filter(isIncluded)
    return filtered
  }

  /// What some elements come to, in their order.
  @inlinable public func compactEach<Other>(_ transform: (Element) -> Other?) -> Few<Other> {
    elements.compactEach(transform)
  }

  /// The same of other elements.
  @inlinable public func each<Other: Comparable, Failure: Error>(
    _ transform: (Element) throws(Failure) -> Other
  ) throws(Failure) -> SortedSet<Other> {
    SortedSet<Other>(try elements.each(transform))
  }
}

extension SortedSet: RandomAccessCollection {
  @inlinable public var startIndex: Int { 0 }
  @inlinable public var endIndex: Int { elements.endIndex }
  @inlinable public subscript(place: Int) -> Element { elements[place] }
}

extension SortedSet: ExpressibleByArrayLiteral {
  @inlinable public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension SortedSet: Equatable {}
extension SortedSet: Hashable where Element: Hashable {}
extension SortedSet: Sendable where Element: Sendable {}
