# Everything that a developer or a machine does here. `make` alone lists it.

SWIFT    ?= swift
SOURCES  := Package.swift Sources Tests
PREFIX   ?= /usr/local
PACKAGES := libssl-dev libcsv-dev zlib1g-dev libxlsxwriter-dev libsqlite3-dev \
    libminizip-dev libexpat1-dev

# Where `unsafe` may stand: folders (ending in /) and files, in which C is wrapped (see CONTRIBUTING.md).
export UNSAFE := Sources/Proofs/ Sources/Files/ Sources/SQLite/ \
    $(addprefix Sources/Lab/,Fixtures/Authority/EllipticCurve Fixtures/Authority/SampleDigest Fixtures/Authority/SigningKey Population/Export/GeneratedFolder) \
    Sources/Encodings/Bytes $(addprefix Sources/Inputs/,Streams/ByteArena Streams/GzipStream Tables/CSVSplitter) \
    $(addprefix Sources/Reports/Workbook/,ArchiveReader WorkbookChart WorkbookFile WorkbookSheet WorkbookStyle XMLReader)

# Checks audit samples, which audit-lab makes: both programs side by side, with these options of `swift build`.
both = $(SWIFT) build $(1)
# Without debug information, which packages strip, and which takes time to make. Programs do not name this folder.
release_options := -c release --static-swift-stdlib -debug-info-format none -Xcc '-ffile-prefix-map=$(CURDIR)/='

.DEFAULT_GOAL := help
.PHONY: help deps build release test t check release-test attack-check corpus check-deps spark-check spark-test wheel worker-check image-check xlsx-check export-check token-check guide-check library-check readme-check page-check fault-check shard-check notify-check metrics-check fetch-check apple-watch \
    service-check install-check install deb dist dist-check fuzz format lint fences links docs samples picture answers demo bench clean

help:     ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

deps:     ## install what the build needs and this machine lacks (Debian; root or sudo)
	@.ci/deps '$(SWIFT)' $(PACKAGES)

build: deps  ## build for debugging
	$(SWIFT) build --explicit-target-dependency-import-check error

release: export AUDIT_COMMIT := $(or $(AUDIT_COMMIT),$(shell git describe --always --dirty 2> /dev/null))
release: deps  ## build the programs for use: .build/release/audit and audit-lab
	$(call both,$(release_options))

test: deps corpus  ## run the tests (with RECEIPTS_CORPUS set, on genuine receipts too)
	$(SWIFT) test --disable-xctest

t: deps corpus  ## build and run the tests of one target (T=Rules; T=Command for the programs)
	AUDIT_TESTS=$(T) $(SWIFT) test --disable-xctest

# Each seventh call of a shard's run fails here, and a fifth of the mutants is made; `make shard-check` and `make
# attack-check` try all.
check: export SHARD_EVERY ?= 7
check: export ATTACK_MUTANTS ?= 200000
check: lint fences links check-deps build test guide-check library-check release-test attack-check shard-check spark-check  ## all that must pass before a commit lands

# What tests use where it is there, and must be there when all is checked.
check-deps:
	@.ci/deps '$(SWIFT)' parallel

# The optimizer has opinions of its own: what passes in debug must pass in what is shipped. The tests of the modules that
# decide a verdict run all their cases here (Exhaustive in Tests/Corpus): every seed, limit and order. Those of the
# programs start what was built here. `AUDIT_EXHAUSTIVE=1 make release-test` runs all cases of all.
release_build = -c release -Xswiftc -enable-testing --scratch-path .build-release-test
release_tests = AUDIT_MODULE_TESTS=1 $(SWIFT) test $(release_build) --disable-xctest
verdict_tests = '^(Checks|DER|Proofs|Receipts)Tests\.'
release-test: deps corpus
	AUDIT_EXHAUSTIVE=1 $(release_tests) --filter $(verdict_tests)
	$(release_tests) --skip $(verdict_tests)
	AUDIT_PROGRAMS="$$(AUDIT_MODULE_TESTS=1 $(SWIFT) build $(release_build) --show-bin-path)" \
	    $(SWIFT) test --disable-xctest --filter '^CommandTests\.'

attack-check: deps corpus  ## make a million structural mutants of receipts, of which none may be valid (ATTACK_MUTANTS, ATTACK_SEED)
	ATTACK_MUTANTS=$${ATTACK_MUTANTS:-1000000} $(release_tests) --filter 'structural mutant'

corpus:
	@test -n "$$RECEIPTS_CORPUS" || \
	    echo 'RECEIPTS_CORPUS is not set: the tests on genuine receipts are skipped (see CONTRIBUTING.md).'

spark-check: deps  ## the same as spark-test for one export, in a minute
	@command -v java > /dev/null || .ci/deps '$(SWIFT)' default-jre-headless
	@.ci/deps '$(SWIFT)' python3-venv
	$(call both)
	@.ci/spark-test "$$($(SWIFT) build --show-bin-path)/audit" --quick

spark-test: deps  ## hold the tables that Spark writes against those of a run (Java 17; PySpark from PyPI)
	$(call both)
	@.ci/spark-test "$$($(SWIFT) build --show-bin-path)/audit"

wheel: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2> /dev/null || stat -c %Y CHANGELOG.md)
wheel:    ## build the Python package of the Spark job in .build/wheel (setuptools from PyPI)
	@.ci/deps '$(SWIFT)' python3-venv
	@mkdir -p .build/wheel && cp -r jobs/spark .build/wheel/src
	@[ -x .build/wheel/venv/bin/pip ] || python3 -m venv .build/wheel/venv
	@.build/wheel/venv/bin/pip --quiet wheel --no-deps --wheel-dir .build/wheel .build/wheel/src; status=$$?; rm -rf .build/wheel/src; exit $$status
	@ls .build/wheel/*.whl

worker-check: release  ## run the released file in an empty Debian root (root; debootstrap)
	@.ci/worker-check .build/release/audit

image-check: release  ## run the released file as the image of jobs/Dockerfile does (root; debootstrap)
	@.ci/image-check .build/release/audit

xlsx-check: deps  ## read a workbook with openpyxl (from PyPI) and LibreOffice, cell by cell
	$(call both)
	@.ci/xlsx-check "$$($(SWIFT) build --show-bin-path)/audit"

export-check: deps  ## run the commands of docs/exporting.md against PostgreSQL and MariaDB (installed if missing; root)
	@.ci/deps '$(SWIFT)' python3 postgresql mariadb-server
	$(call both)
	@.ci/export-check "$$($(SWIFT) build --show-bin-path)/audit"

token-check: deps  ## ask Apple's library and PyJWT (from PyPI) about mutants of tokens that are valid (minutes)
	$(call both,$(release_options))
	@.ci/token-check .build/release/audit

guide-check: deps  ## type the commands of README.md and of the guide in a fresh clone, in their order, and compare their output (python3)
	@.ci/deps '$(SWIFT)' python3
	$(call both)
	@python3 .ci/readme_check.py "$$($(SWIFT) build --show-bin-path)/audit" --clone README.md docs/guide.md

library-check: deps  ## build a server that uses the library ReceiptAudit, and have it answer uploads
	$(call both)
	@.ci/library-check "$$($(SWIFT) build --show-bin-path)/audit-lab"

readme-check: release  ## type the commands that pages show in an empty Debian root, and compare the output that they show (root; debootstrap)
	@.ci/readme-check .build/release/audit

page-check: deps  ## try pages in Chromium, with Playwright and axe-core (from PyPI; minutes)
	$(call both)
	@.ci/page-check "$$($(SWIFT) build --show-bin-path)/audit"

fault-check: deps  ## fail every call that writes, and stop and kill runs everywhere (strace; hours, or FAULT_EVERY=7)
	$(call both)
	@.ci/fault-check "$$($(SWIFT) build --show-bin-path)/audit" --every $${FAULT_EVERY:-1}

shard-check: deps  ## make each command that jobs/shards.sh calls fail once, and fill its disk
	$(call both)
	@.ci/shard-check "$$($(SWIFT) build --show-bin-path)/audit" --every $${SHARD_EVERY:-1}

notify-check: deps  ## have jobs/notify.sh post to a server on this machine (curl, jq, python3)
	@.ci/deps '$(SWIFT)' curl jq python3
	$(call both)
	@.ci/notify-check "$$($(SWIFT) build --show-bin-path)/audit"

fetch-check: deps  ## have jobs/fetch-evidence.py fetch from an App Store of this machine (Apple's library from PyPI)
	@.ci/deps '$(SWIFT)' python3-venv
	$(call both)
	@.ci/fetch-check "$$($(SWIFT) build --show-bin-path)/audit"

apple-watch:  ## compare what is known of Apple's tokens with Apple's newest library (PyPI); append to docs/apple-watch.log
	@.ci/deps '$(SWIFT)' python3-venv
	@.ci/apple-watch

metrics-check: deps  ## read metrics and alerts with promtool (unpacked from Debian's prometheus)
	$(call both)
	@.ci/metrics-check "$$($(SWIFT) build --show-bin-path)/audit"

service-check: deb  ## boot systemd in an empty Debian root and have the packaged service audit two nights (root; some minutes)
	@.ci/service-check .build/deb/receipt-audit_*.deb

install-check: deps  ## have mandoc, shells and systemd-analyze read what `make install` installs
	$(call both)
	@.ci/install-check "$$($(SWIFT) build --show-bin-path)/audit"

# As another user than root, run `make release` first, so that only the copying is done as root.
install:  ## install below $(PREFIX), in $(DESTDIR) if it is set (needs python3)
	@[ -x .build/release/audit ] && [ -x .build/release/audit-lab ] || $(MAKE) release
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' packaging/install .build/release/audit

deb: release  ## make a package for Debian, and have lintian look at it
	@.ci/deps '$(SWIFT)' python3 dpkg-dev lintian patchelf
	@packaging/deb .build/release/audit

dist: deb wheel  ## put package, tarball, wheel, image, SBOM and checksums into dist/ (mmdebstrap; root for the image)
	@.ci/deps '$(SWIFT)' mmdebstrap
	@packaging/dist .build/release/audit

dist-check: deps  ## install all that is in dist/ in empty Debian roots, and audit a sample there (root; mmdebstrap)
	@.ci/deps '$(SWIFT)' mmdebstrap
	@.ci/dist-check

# Built apart: every edge is counted, and every access to memory is checked.
fuzz: deps  ## feed made-up input to every reader, FUZZ_SECONDS (60) each; FUZZ=csv for one of them (CONTRIBUTING.md)
	AUDIT_FUZZ=1 $(SWIFT) build -c release --product Fuzz --sanitize=address --scratch-path .build-fuzz
	@FUZZ='$(FUZZ)' FUZZ_SECONDS='$(FUZZ_SECONDS)' .ci/fuzz .build-fuzz/release/Fuzz

format:   ## rewrite the sources in our style
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

lint:     ## fail on style
	$(SWIFT) format lint --strict --recursive --parallel $(SOURCES)

fences:   ## fail if `unsafe`, C, Dispatch, a clock, a long file or a name is where it may not be
	@.ci/fences

links:    ## fail if a link in a page leads nowhere (needs python3)
	@.ci/links

# By way of a file of its own, so that a build that fails leaves the page as it was.
docs: deps  ## write anew docs/rules.md, docs/app-store-members.md, docs/tables.schema.json and docs/tables.sql, and the columns in reports/README.md
	$(SWIFT) build --product audit
	@mkdir -p docs
	"$$($(SWIFT) build --show-bin-path)/audit" rules --markdown > docs/rules.md.new
	@mv docs/rules.md.new docs/rules.md
	"$$($(SWIFT) build --show-bin-path)/audit" rules --members > docs/app-store-members.md.new
	@mv docs/app-store-members.md.new docs/app-store-members.md
	"$$($(SWIFT) build --show-bin-path)/audit" rules --table-schema > docs/tables.schema.json.new
	@mv docs/tables.schema.json.new docs/tables.schema.json
	"$$($(SWIFT) build --show-bin-path)/audit" rules --table-sql > docs/tables.sql.new
	@mv docs/tables.sql.new docs/tables.sql
	"$$($(SWIFT) build --show-bin-path)/audit" rules --table-markdown < reports/README.md > reports/README.md.new
	@mv reports/README.md.new reports/README.md

samples: deps  ## write reports/samples anew
	$(call both)
	@.ci/samples "$$($(SWIFT) build --show-bin-path)/audit" reports/samples

# What a reader sees first of the sample, on a desk.
picture:  ## take the picture in the README anew (needs Debian's chromium)
	chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size=1280,900 \
	    --blink-settings=preferredColorScheme=1 --screenshot=docs/report.png reports/samples/report.html

answers:  ## take the pictures of docs/analysis.md anew (LibreOffice, poppler-utils; openpyxl and Pillow from PyPI)
	@.ci/deps '$(SWIFT)' python3-venv libreoffice-calc poppler-utils
	@[ -x .build/answers/bin/pip ] || python3 -m venv .build/answers
	@.build/answers/bin/pip --quiet install 'openpyxl>=3.1,<4' 'pillow>=10'
	@.build/answers/bin/python .ci/pictures.py reports/samples/report.xlsx docs/answers

demo: build  ## make 2,000 receipts with planted fraud, audit them, show the reports
	.build/debug/audit-lab demo > /dev/null
	.build/debug/audit run demo/receipts --root demo/root.cer --as-of 2026-06-30T00:00:00Z \
	    --policy demo/policy.yml --report demo/receipts.csv --report fraud=demo/fraud.csv \
	    --report demo/report.html --report demo/report.xlsx
	@printf '\nIn demo/receipts.csv, some rows and some columns:\n\n'
	@{ head -n 1 demo/receipts.csv; grep -m 2 ',valid,' demo/receipts.csv; grep -m 5 -E ',(invalid|unreadable),' demo/receipts.csv; } | tr -d '\r' | \
	    awk -F, '{ printf "%-16s %-37s %-10s %-23s %-11s %s\n", $$1, $$3, $$5, $$6, $$9, $$11 }'
	@printf '\nIn demo/fraud.csv, some findings:\n\n'
	@grep -E ',(fraud-ring|shared-receipt|replayed-consumable|hidden-refund|trial-abuse|token-replay),|^severity' demo/fraud.csv | \
	    awk -F, '!seen[$$2]++ { printf "%-9s %-20s %-49.49s %6s %8s %9s\n", $$1, $$2, $$3, $$4, $$5, $$6 }'
	@printf '\nOpen first the page, in a browser: %s\nThen the workbook, to filter and to review: %s\nThe tables are beside them; reports/README.md explains every column.\nThis was a build for debugging, which is slow. Before you audit your own export: make release\n' \
	    '$(CURDIR)/demo/report.html' '$(CURDIR)/demo/report.xlsx'

bench: release  ## measure five jobs that resemble those of users (a quarter of an hour; Benchmarks/README.md)
	Benchmarks/run

clean:    ## forget everything that was built or made
	rm -rf .build .build-* Benchmarks/corpus
	@if grep -qs '^\# A made-up export of App Store receipts' demo/README.md; then rm -rf demo; fi
