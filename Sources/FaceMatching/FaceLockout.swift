/// When refused faces lock the face out.
public enum FaceLockout {
  /// After this many refused faces a passphrase or recovery code has to be given. Calibration counts the vectors that are
  /// made to pass within as many tries. The words of help and documentation say "five".
  public static let tries = 5
}
