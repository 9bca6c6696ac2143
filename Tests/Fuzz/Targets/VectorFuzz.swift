@testable import FaceMatching

/// Any bytes as a vector file, under every way of naming it.
func vectors(_ bytes: [UInt8]) {
  for name in ["file", "file.f32"] {
    guard let file = try? VectorFile(bytes, source: name), let embeddings = try? file.embeddings()
    else {
      continue
    }
    // What is accepted must be what is promised.
    for embedding in embeddings {
      precondition(Embedding.dimensions.contains(embedding.dimension))
      precondition(embedding.unit.allSatisfy(\.isFinite))
      precondition(abs(Similarity.dot(embedding.unit, embedding.unit) - 1) < 1e-4)
    }
  }
}
