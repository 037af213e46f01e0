# critic-lsp: `make` builds it, `make check` is what CI runs.

PREFIX ?= /usr/local
SWIFT ?= swift
# Static on Linux, so that the binary runs on any machine and in a chroot, one without /proc too; and at an address of
# its own each time, which gold cannot link, and which glibc refuses to a program that names a path for libraries.
STATIC := $(if $(filter Linux,$(shell uname)),--static-swift-stdlib --disable-local-rpath -Xswiftc -static-executable \
  -Xswiftc -use-ld=lld -Xswiftc -Xclang-linker -Xswiftc -static-pie)
RELEASE := $(SWIFT) build -c release $(STATIC)
BINARY := .build/release/critic-lsp

.PHONY: build build-tests timing test fuzz lint format check prepare clients editors screens stalls bench growth soak histories mutants instrument compat dist dist-check recipes other-tools demo install uninstall clean

build:
	$(RELEASE) --product critic-lsp

# One build for all tests: optimized, since what is tried at random takes long, but with what the code asserts.
TESTING := -c release -Xswiftc -enable-testing -Xswiftc -assert-config -Xswiftc Debug -Xswiftc -DDEBUG --scratch-path .build/tests
TEST := $(SWIFT) test $(TESTING) --skip-build --parallel --disable-xctest

build-tests:
	$(SWIFT) build $(TESTING) --build-tests --explicit-target-dependency-import-check error

test: build-tests
	$(TEST)

# Tries what the engine promises RUNS times with each text.
RUNS ?= 1000
fuzz: build-tests
	RUNS=$(RUNS) $(TEST) --filter 'PromiseTests|UndoTests|ReviewPropertyTests|ResolvingTests|ComparisonTests|ProposalTests|DecisionTests'

lint:
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests
	$(if $(shell command -v node),node --check Sources/CriticLSP/Export/review.js)

format:
	$(SWIFT) format format --in-place --parallel --recursive Package.swift Sources Tests

# LIMIT="timeout -k 30" ends a step that takes much longer than it ever should; BESIDE names what is made beside the
# builds, and ALSO more to be checked. First what keeps the processors busy; then, alone, what depends on how fast an editor
# is, and what counts the instructions of sessions with pauses; then editors, which wait most of the time, as clients do: the longest first, and what goes beside them is nice to them.
check:
	@echo "== lint"
	$(MAKE) lint
	$(AT_ONCE) 3 check-fuzz check-build check-instrument
	$(MAKE) check-timing check-growth
	$(AT_ONCE) 2 check-editors check-clients $(ALSO:%=check-%) check-soak

# So many at a time; what each says stays together.
AT_ONCE = $(MAKE) --output-sync=recurse -j

check-%:
	@echo "== $*"
	$(if $(filter-out editors timing,$*),nice) $(if $(LIMIT),$(LIMIT) $(or $(LIMIT_$*),30m)) $(MAKE) $* $(SHORT_$*)

# One after the other, for both take all processors; tests need what is made beside the builds.
check-fuzz: check-test
check-test: check-build-tests $(BESIDE:%=check-%)

LIMIT_test = 45m
LIMIT_clients = 45m
LIMIT_editors = 75m
SHORT_editors = BUT=timing
SHORT_soak = KEYS=20000 SESSIONS=12 STEPS=1000 MONKEYS=
SHORT_dist = dist-check ARCHITECTURES=x86_64

# What a CI needs beside Swift and make, from Debian and from Python's index; as root.
prepare:
	.ci/prepare

clients: build
	Tests/Clients/run

editors: build
	Tests/Editors/install
	Tests/Editors/run $(if $(CI),--short) $(BUT:%=--but %)

# Those in which the editor's keys and the server's edits cross.
timing: build
	Tests/Editors/install
	Tests/Editors/run $(if $(CI),--short) -k timing

# Captures what the editors show, for the READMEs and in the pictures of docs/, and records docs/demo.* and docs/handover.*.
screens: build
	UPDATE=1 Tests/Editors/run -k pictures

# Measures how long the editors stand still in a long document, for RESULTS.md.
stalls: build
	Tests/Editors/install
	Tests/Editors/stalls

# QUICK=1: small documents only. PEERS=1: other programs too. ONLY=keystroke,export: some of the tables.
bench: build instrument
	Tests/Benchmarks/run $(if $(QUICK),--quick) $(if $(PEERS),--peers) $(if $(ONLY),--only $(ONLY))

growth: build instrument
	Tests/Benchmarks/growth

# Types KEYS keys beside a plain model, with the marks in the text and beside it, from SEED on; kills servers in SESSIONS
# sessions, and commands in STEPS steps over a text and its sidecar; then monkeys with the numbers in MONKEYS type beside a twin editor, also in editors whose server dies.
KEYS ?= 1000000
SEED ?= 0
MONKEYS ?= 1:200
SESSIONS ?= 200
STEPS ?= 10000
soak: instrument build
	.build/release/Benchmarks soak $(KEYS) $(SEED)
	Tests/Clients/recovery -n $(SESSIONS) --seed $(SEED)
	Tests/Clients/pairs -n $(STEPS) --seed $(SEED)
	$(if $(MONKEYS),SEEDS=$(MONKEYS) Tests/Editors/run -k monkey_twin -k monkey_agent && SEEDS=$(MONKEYS) Tests/Editors/run -k dying)

# Writes the histories of DOCUMENTS Markdown files of REPOSITORIES of git again, and compares what is recorded with them.
DOCUMENTS ?= 500
REPOSITORIES ?= .
histories: instrument
	Tests/Benchmarks/histories -n $(DOCUMENTS) $(REPOSITORIES)

# Forces COUNT conditions of the engine, those of SEED, and says which no test needs.
COUNT ?= 100
mutants:
	Tests/Mutants/run --count $(COUNT) --seed $(SEED)

# Builds with the oldest Swift that the README promises, in a root folder with Debian sid; as root.
compat:
	packaging/compat

# What is released, in dist/: for ARCHITECTURES, or all.
dist:
	+packaging/dist $(ARCHITECTURES)

# Installs and runs it on Debian 11 and 12, in an empty root folder, by pip and pre-commit, under qemu; as root.
dist-check: $(filter dist,$(MAKECMDGOALS))
	packaging/dist-check $(ARCHITECTURES)

# Checks the recipes for other packagers and the workflows, as far as Debian's tools can; as root.
recipes: build
	packaging/check

# What other tools do with marks, for docs/other-tools.md; needs the network.
other-tools: build
	Tests/OtherTools/run .build/release/critic-lsp

instrument:
	$(RELEASE) --product Benchmarks

demo: build
	$(BINARY) demo

# Without debugging symbols; with the manual page, completions, and under share/critic-lsp the packages for editors and the
# documentation that they link to.
SHARE = $(DESTDIR)$(PREFIX)/share
MAN = $(SHARE)/man/man1/critic-lsp.1
BASH = $(SHARE)/bash-completion/completions/critic-lsp
ZSH = $(SHARE)/zsh/site-functions/_critic-lsp
FISH = $(SHARE)/fish/vendor_completions.d/critic-lsp.fish

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/critic-lsp/docs" "$(SHARE)/man/man1" \
	  "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" "$(SHARE)/fish/vendor_completions.d"
	install -s -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/critic-lsp"
	$(BINARY) man > "$(MAN)"
	$(BINARY) completions bash > "$(BASH)"
	$(BINARY) completions zsh > "$(ZSH)"
	$(BINARY) completions fish > "$(FISH)"
	cp -R editors "$(SHARE)/critic-lsp/"
	cp docs/*.md docs/*.json docs/*-light.svg docs/*-dark.svg "$(SHARE)/critic-lsp/docs/"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/critic-lsp" "$(MAN)" "$(BASH)" "$(ZSH)" "$(FISH)"
	rm -rf "$(SHARE)/critic-lsp"

clean:
	$(SWIFT) package clean
