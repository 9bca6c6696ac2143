internal import CSimilarity

/// Cosine similarity, always as *similarity*: in [−1, 1], higher is closer.
public enum Similarity {
  /// The cosine of the angle between two embeddings of one dimension.
  ///
  /// - Throws: ``VectorError`` `dimensionMismatch`.
  public static func cosine(_ one: Embedding, _ other: Embedding) throws(VectorError) -> Double {
    guard one.dimension == other.dimension else {
      throw VectorError(
        .dimensionMismatch(found: other.dimension, expected: one.dimension), in: "vector")
    }
    return min(1, max(-1, dot(one.unit, other.unit)))
  }

  /// Σ aᵢ·bᵢ of two arrays of one length, by the C kernel: AVX-512 or AVX2 where the machine has them.
  package static func dot(_ one: [Float], _ other: [Float]) -> Double {
    precondition(one.count == other.count)
    return unsafe one.withUnsafeBufferPointer { one in
      unsafe other.withUnsafeBufferPointer { other in
        guard let a = one.baseAddress, let b = other.baseAddress else { return 0 }
        return unsafe csimilarity_dot(a, b, one.count)
      }
    }
  }

  /// The same in portable Swift: the kernel's companion, and what to read to understand it.
  ///
  /// Sixteen `float32` lanes multiply; every 128 components the lanes are emptied into a `Double`.
  /// A lane so sums eight products at most, which keeps the error of 512 components under 1e-6 even
  /// when all products have one sign (a model with a common offset), at almost the speed of a sum that
  /// never leaves `float32`. `acc += x * y` on whole vectors, because `addProduct` calls `fmaf` a lane
  /// at a time where the instruction set has no FMA by default.
  package static func portableDot(_ one: [Float], _ other: [Float]) -> Double {
    precondition(one.count == other.count)
    let count = one.count
    return unsafe one.withUnsafeBytes { one in
      unsafe other.withUnsafeBytes { other in
        var total = 0.0
        var index = 0
        let whole = count & ~15
        while index < whole {
          var lanes = SIMD16<Float>.zero
          let end = min(index + 128, whole)
          while index < end {
            let x = unsafe one.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<Float>.self)
            let y = unsafe other.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<Float>.self)
            lanes += x * y
            index += 16
          }
          total += sum(lanes)
        }
        while index < count {
          let x = unsafe one.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
          let y = unsafe other.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
          total += Double(x) * Double(y)
          index += 1
        }
        return total
      }
    }
  }

  @inline(__always)
  private static func sum(_ lanes: SIMD16<Float>) -> Double {
    let low = SIMD8<Double>(lanes.lowHalf)
    let high = SIMD8<Double>(lanes.highHalf)
    return (low + high).sum()
  }

  /// The mean of unit vectors, not normalised: its dot product with another such mean is the average
  /// similarity over all pairs.
  package static func mean(of units: [[Float]]) -> [Float] {
    guard let first = units.first else { return [] }
    var sum = [Double](repeating: 0, count: first.count)
    for unit in units {
      for index in sum.indices { sum[index] += Double(unit[index]) }
    }
    return sum.map { Float($0 / Double(units.count)) }
  }
}
