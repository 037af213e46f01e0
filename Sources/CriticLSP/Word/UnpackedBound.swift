/// How much is unpacked of a Word document, in proportion to its file: what is packed much tighter than Word and others
/// pack it was made to cost much.
struct UnpackedBound {
  /// How many nodes the parts with text may have; Word writes less than one for each byte of the file, LibreOffice up to
  /// 13 in tables with equal cells, and a program that makes a run of each letter 11.
  var nodes: XML.NodeBound
  /// How long the parts with text may be; Word's are about 15 times as long as the file, those with a run for each
  /// letter 130 times.
  private let mostText: Int
  /// How long the pictures may be; some are of one color.
  private let mostPictures: Int
  private var text = 0

  /// What to do with a document that is refused.
  static let remedy = "save it anew in Word, or split it"
  /// What each byte of the file allows.
  private static let mostNodesByByte = 16
  private static let mostTextByByte = 256
  private static let mostPicturesByByte = 512

  /// Makes the bound of a file.
  ///
  /// - Parameter length: How long it is, in bytes.
  init(fileOf length: Int) {
    nodes = XML.NodeBound(min(XML.mostNodes, 1 << 18 + UnpackedBound.mostNodesByByte * length))
    mostText = 1 << 24 + UnpackedBound.mostTextByByte * length
    mostPictures = 1 << 24 + UnpackedBound.mostPicturesByByte * length
  }

  /// Counts a part with text before it is unpacked.
  ///
  /// - Throws: `Platform.Failure` if that is more than may be.
  mutating func addText(_ length: Int) throws(Platform.Failure) {
    text += length
    try expect(text, atMost: mostText, "text")
  }

  /// - Throws: `Platform.Failure` if pictures of a length in all may not be unpacked.
  func expectPictures(_ length: Int) throws(Platform.Failure) {
    try expect(length, atMost: mostPictures, "pictures")
  }

  private func expect(_ length: Int, atMost most: Int, _ kind: String) throws(Platform.Failure) {
    guard length > most else { return }
    throw Platform.Failure(
      description:
        "its \(kind) would be longer than \(most >> 20) MB, too much for a file of its length;"
        + " \(UnpackedBound.remedy)"
    )
  }
}
