# Not tried with Homebrew: on Linux, install and test ran with a substitute for its Formula class; on macOS, nothing ran.
class CriticLsp < Formula
  desc "Language server for tracked Markdown editing with CriticMarkup"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    url "@HOMEPAGE@.git", tag: "v@VERSION@"
    depends_on xcode: ["26.0", :build]
  end

  on_linux do
    on_intel do
      url "@RELEASES@/critic-lsp-v@VERSION@-x86_64-linux.tar.gz"
      sha256 "@SHA256_X86_64@"
    end
    on_arm do
      url "@RELEASES@/critic-lsp-v@VERSION@-aarch64-linux.tar.gz"
      sha256 "@SHA256_AARCH64@"
    end
  end

  def install
    if OS.mac?
      # Homebrew builds in a sandbox, in which Swift cannot start its own. STATIC holds flags for Linux alone.
      system "make", "install", "PREFIX=#{prefix}", "STATIC=--disable-sandbox"
    else
      bin.install "bin/critic-lsp"
      share.install Dir["share/*"]
    end
  end

  test do
    assert_equal "critic-lsp #{version}\n", shell_output("#{bin}/critic-lsp --version")
    (testpath/"draft.md").write "The {~~red~>blue~~} hen.\n"
    assert_equal "The blue hen.\n", shell_output("#{bin}/critic-lsp export draft.md")
  end
end
