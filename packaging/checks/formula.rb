# Substitutes for what a Homebrew formula uses, and what installs it on Linux: formula.rb FORMULA RELEASE PREFIX ARCH.
require "fileutils"
require "open3"
require "pathname"
require "tmpdir"

ARCHITECTURE = ARGV[3]
abort "formula: usage: formula.rb FORMULA RELEASE PREFIX intel|arm" unless %w[intel arm].include?(ARCHITECTURE)

module OS
  def self.mac? = false
end

# A folder of the package, into which a formula installs.
class Folder < Pathname
  def /(other) = Folder.new(super)

  def install(*files)
    mkpath
    files.flatten.each { |file| FileUtils.cp_r(file, self) }
  end
end

class Formula
  class << self
    def facts = (@facts ||= {})

    [:desc, :homepage, :version, :license, :url, :sha256].each do |name|
      define_method(name) { |value, **| facts[name] = value }
    end

    def depends_on(*) = nil
    def on_macos = nil
    def on_linux = yield
    def on_intel = (yield if ARCHITECTURE == "intel")
    def on_arm = (yield if ARCHITECTURE == "arm")
    def test(&block) = define_method(:run_test, &block)
  end

  attr_reader :prefix, :testpath

  def initialize(prefix, testpath)
    @prefix = Folder.new(prefix)
    @testpath = Folder.new(testpath)
  end

  def version = self.class.facts[:version]
  def bin = prefix/"bin"
  def share = prefix/"share"

  def shell_output(command)
    output, status = Open3.capture2(command)
    raise "#{command} exits with #{status.exitstatus}" unless status.success?
    output
  end

  def assert_equal(expected, actual)
    raise "expected #{expected.inspect}, not #{actual.inspect}" if expected != actual
  end
end

load ARGV[0]
formula = CriticLsp
abort "formula: the description is longer than 80 characters" if formula.facts[:desc].length > 80
abort "formula: the description begins with an article" if formula.facts[:desc].match?(/\A(An?|The) /i)
Dir.mktmpdir do |testpath|
  package = formula.new(ARGV[2], testpath)
  Dir.chdir(ARGV[1]) { package.install }
  Dir.chdir(testpath) { package.run_test }
end
puts formula.facts[:url], formula.facts[:sha256]
