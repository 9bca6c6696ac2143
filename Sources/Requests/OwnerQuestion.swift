package import Access
package import Entries

/// What a keeper asks its client in the middle of an owner's request.
package enum OwnerQuestion: Codable, Sendable {
  /// How far it is. Not answered.
  case progress(Int, Int)
  /// What the owner should know of what was done. Not answered.
  case notices([DiaryNotice])
  /// A recovery code is about to be written to standard output; answered with what stands around it.
  case announce(CodeFacts)
  /// A session of this diary has to end first. The client ends it: an owner's keeper has given up the network.
  case endSession
  /// The new code was shown: is it written down, and shall the key be replaced?
  case replaceKey
  /// Shall the backup take the diary's place?
  case replaceDiary(BackupFacts)
  /// Shall the diary go on from this copy?
  case acceptOlderCopy(OlderCopy)
  /// A copied state record is to be sealed as a backup's, by the process that has the diary open.
  case sealBackup([UInt8])
  /// Objects are to be moved between the mirror and the place: of a space, and of a pairing.
  case exchange(space: String?, join: String?)
  /// A device asks to come in: does it show these symbols?
  case letIn(name: String, check: String, of: Int)
  /// The request is made; these symbols are to be compared.
  case asked(check: String)
}

package enum OwnerReply: Codable, Sendable {
  case yes, no
  /// The person answers in a dialog that the keeper shows, with these words.
  case dialog(String)
  case sealed(SealedBackup)
  /// What stands before and behind the code, which the keeper writes between.
  case announcement(before: String, after: String)
}

/// What belongs to a recovery code that is shown.
package struct CodeFacts: Codable, Sendable {
  /// The vault's, when it is a new one: 26 base32 characters.
  package var id: String?
  package var enrolled: EnrollmentReport?
  /// Slots that are dropped with it.
  package var dropped: [KeySlotFacts] = []
  /// Whether the diary leaves the devices that it shares with.
  package var leavesSpace = false
  package var salvaged: Salvaged?

  package init(id: String? = nil, salvaged: Salvaged? = nil) {
    self.id = id
    self.salvaged = salvaged
  }
}

/// What a backup is, before it takes the diary's place.
package struct BackupFacts: Sendable, Codable {
  /// Seconds since 1970.
  package let made: Int64
  package let entries: Int
  /// How many the diary has now; nil when its file is gone.
  package var present: Int?
  /// Files of its entries that it does not have, or not whole.
  package let lostFiles: Int
  /// Whether other devices have the diary, too: then entries come back, and nothing that was written since goes.
  package var isShared = false
  /// Whether its key followed the one that this device knew.
  package var isOfLaterKey = false
  /// Whether this device opened the diary before, and has lost what it remembered.
  package var isUnremembered = false

  package init(made: Int64, entries: Int, lostFiles: Int) {
    self.made = made
    self.entries = entries
    self.lostFiles = lostFiles
  }
}
