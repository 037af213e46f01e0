/// Where the marks of an open document are.
enum MarksPlace: String, CaseIterable {
  /// In the text that the editor shows, and so in the file.
  case inline
  /// In a record that lies beside the file; the editor shows, and the file holds, the clean text.
  case beside
  /// In the file, while the editor shows the clean text.
  case file
}
