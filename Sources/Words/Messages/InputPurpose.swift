/// What standard input is read for. There is only one.
package enum InputPurpose: Sendable {
  case file, labels, entries, passphrase, recoveryCode, faceVector, entryText, backupPassphrase
  case pairingCode, spaceCode, pin
}
