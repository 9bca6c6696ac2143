/// What standard input is read for, of which there is one.
package enum InputPurpose: Sendable {
  case file, labels, entries, passphrase, recoveryCode, faceVector, entryText, backupPassphrase
  case pairingCode, pin
}
