/// How often a face may be refused.
public enum FaceTries {
  /// So many refused faces lock the face out until a passphrase or recovery code is given. Calibration counts the vectors
  /// that are made to pass within as many tries. The words of help and documentation say "five".
  public static let limit = 5
}
