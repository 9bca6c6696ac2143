import Bytes
import Replication

/// Knows who let in and took out whom, and says who must take part. It asks no roster anything.
struct RosterJudge {
  /// Who let a device in, by which object; no author for the recovery code.
  private struct Admission {
    let author: DeviceID?
    let object: Hash
  }

  /// What the recovery code took out, and all that lay before whoever used it.
  private struct Revocation {
    let devices: Set<DeviceID>
    let object: Hash
    let heard: Set<Hash>
  }

  /// Of devices that keep to the rules.
  private var admissions: [DeviceID: Admission] = [:]
  private var revocations: [Revocation] = []
  private var stolen: Set<DeviceID> = []

  mutating func add(_ device: DeviceID, by author: DeviceID?, _ object: Hash) {
    admissions[device] = Admission(author: author, object: object)
  }

  mutating func revoke(_ devices: Set<DeviceID>, _ object: Hash, heard: Set<Hash>) {
    revocations.append(Revocation(devices: devices, object: object, heard: heard))
  }

  /// Everybody who was ever taken out.
  var gone: Set<DeviceID> { revocations.reduce(into: []) { $0.formUnion($1.devices) } }

  /// Those who somebody knew to be taken out who had heard so much.
  func gone(_ heard: Set<Hash>) -> Set<DeviceID> {
    revocations.filter { heard.contains($0.object) }.reduce(into: []) { $0.formUnion($1.devices) }
  }

  /// A device that does not keep to the rules from now on.
  mutating func steal(_ device: DeviceID) { stolen.insert(device) }

  /// The devices that keep to the rules and must take part when everything is known.
  func active() -> Set<DeviceID> {
    Set(admissions.keys.filter { !gone.contains($0) && !stolen.contains($0) && counts($0) })
  }

  /// An admission counts if its author's does, and if each revocation of its author knew of it.
  private func counts(_ device: DeviceID) -> Bool {
    guard let admission = admissions[device] else { return false }
    guard let author = admission.author else { return true }
    return counts(author)
      && revocations.filter { $0.devices.contains(author) }.allSatisfy {
        $0.heard.contains(admission.object)
      }
  }
}
