# `make` lists the targets. It requires Debian 12, Ubuntu 24.04 or later; `make deps`
# installs everything else.

# This is the only place for build settings. Go reads them from GOFLAGS. gocv
# compiles against OpenCV 4.6 only if it is limited to the modules in use. The
# user's own GOFLAGS are kept, including additional tags.
comma := ,
space := $() $()
flags := $(or $(GOFLAGS),$(shell go env GOFLAGS 2>/dev/null))
users_tags := $(subst $(comma),$(space),$(patsubst -tags=%,%,$(filter -tags=%,$(flags))))
tags := gocv_specific_modules gocv_features2d gocv_calib3d
tags += $(filter-out $(tags),$(users_tags))
override GOFLAGS := $(strip $(filter-out -tags=%,$(flags)) -tags=$(subst $(space),$(comma),$(strip $(tags))))
export GOFLAGS
export CGO_ENABLED := 1

VERSION ?= $(or $(if $(wildcard .git),$(shell git describe --tags --always --dirty 2>/dev/null)),unknown)

# Packages that need neither OpenCV nor cgo.
PURE := ./eval/... ./keypoints ./descriptors ./descriptors/surf ./pipeline/files/...
# Packages that use unsafe.
UNSAFE := ./eval/nearest ./pipeline/dataset ./pipeline/estimate ./pipeline/store/records
LINTER := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.2
# The linter's cache identifies files by content but stores their paths. Each
# checkout needs its own cache; otherwise findings appear under the paths of a
# different checkout, which no rule matches.
export GOLANGCI_LINT_CACHE := $(CURDIR)/.cache/golangci-lint
BENCH ?= .
FUZZTIME ?= 10s
# The extent of make soak. With the same SEED, the same bytes are flipped; kills
# come at the same moments.
KILLS ?= 1000
FLIPS ?= 600
FAULTS ?= 1000
SEED ?= 1
# The slowest package takes longer than go test's default of 10 minutes on busy
# cores, above all with the race detector.
TIMEOUT ?= 60m
VULNCHECK := go run golang.org/x/vuln/cmd/govulncheck@v1.8.0

.PHONY: help deps build run test test-slurm test-container test-latex test-python test-platform test-arm64 dist test-dist release race soak leaks vuln lint linter bench bench-peers picture cover fuzz mutants env docker clean

help: ## list the targets and missing dependencies
	@sed -n 's/^\([a-z0-9-]*\):.*## /  make \1\t/p' Makefile | expand -t 24
	@.ci/deps --check || true

deps: ## install missing dependencies: Go, C++ compiler, pkg-config, OpenCV, libjpeg
	@.ci/deps

build: deps ## compile bin/descbench
	go build -buildvcs=false -ldflags '-X main.version=$(VERSION)' -o bin/descbench ./cmd/descbench

run: build ## run the demo: configs/demo.yaml on the scenes in testdata
	bin/descbench run configs/demo.yaml

test: deps ## run vet and all tests, those for leaks too, those of unsafe code with checks of pointers, then the pure packages again: without cgo, with C for this processor, with C for any
	go vet ./...
	go test -timeout $(TIMEOUT) ./...
	$(MAKE) leaks
	go test -gcflags=-d=checkptr $(UNSAFE)
	CGO_ENABLED=0 go test $(PURE)
	CGO_CFLAGS='-O2 -march=native' go test ./eval/...

# apt installs Debian packages that are not there, as root.
apt = dpkg-query --show $(1) >/dev/null 2>&1 || { apt-get update && \
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $(1); }

test-slurm: deps ## install Slurm (Debian packages, as root) and run an array job on one machine
	$(call apt,slurm-wlm munge)
	go test -count=1 -v -timeout $(TIMEOUT) ./cmd/descbench/slurm

test-latex: deps ## compile the tables of LaTeX (a Debian package, as root); skipped where pdflatex cannot be installed
	@command -v pdflatex >/dev/null || { $(call apt,texlive-latex-recommended); } || true
	go test -count=1 -v -run 'LaTeX|TestScripts/latex$$' ./pipeline/report/table ./cmd/descbench

test-python: deps ## run ONNX files, HDF5, queries of records, notebooks and estimators of Python packages, compare poses and depth with NumPy, and call functions of a program, in a Python environment in .cache; skipped if no package index is reached. HUBS=1: vismatch and easy-local-features, too
	@python3 -c 'import ensurepip' 2>/dev/null || { $(call apt,python3-venv); }
	@if python3 -m venv .cache/python && .cache/python/bin/pip install --quiet numpy onnxruntime opencv-python-headless h5py poselib pycolmap pydegensac pillow pandas pyarrow duckdb matplotlib; then \
		export DESCBENCH_TEST_PYTHON=$(CURDIR)/.cache/python/bin/python; \
		go test -count=1 -timeout $(TIMEOUT) -run 'ONNX|Cameras|NumPyReference|Evaluate|HDF5|OfPackages|MissingPackage|DualSoftmax' ./pipeline ./pipeline/child ./pipeline/dataset/fit ./cmd/descbench && \
		go test -count=1 -run QueriesOfThePage ./cmd/descbench; \
	else echo 'test-python skipped: pip cannot install onnxruntime' >&2; fi
ifdef HUBS
	.ci/hubs .cache/hubs
	DESCBENCH_TEST_HUBS=$(CURDIR)/.cache/hubs/bin/python go test -count=1 -v -run OfHubs ./cmd/descbench
endif

# What make test-platform tests beyond the build and the demo.
PACKAGES ?= ./eval/... ./keypoints/... ./descriptors/... ./pipeline/files/... ./pipeline/dataset/... ./pipeline/estimate/...
SUITE ?= $(shell . /etc/os-release && echo $$VERSION_CODENAME)

test-container: deps ## build the container image without a daemon (Debian packages, as root); run the demo read-only
	$(call apt,debootstrap buildah podman runc)
	go test -count=1 -v -timeout $(TIMEOUT) ./cmd/descbench/container -container.suite $(SUITE)

test-platform: ## build and test on a fresh Debian or Ubuntu, SUITE=bookworm, trixie or noble (as root)
	$(call apt,debootstrap)
	.ci/platform $(SUITE) $(PACKAGES)

test-arm64: ## test the pure packages for arm64, emulated by qemu
	$(call apt,qemu-user-static)
	CGO_ENABLED=0 GOARCH=arm64 go vet $(PURE)
	CGO_ENABLED=0 GOARCH=arm64 go test -timeout $(TIMEOUT) -exec qemu-aarch64-static $(PURE)

# The folder of the system in which make dist builds, outside of any checkout.
export DIST ?= /var/tmp/descbench-dist

dist: ## build static programs for Linux on amd64 and arm64, in a Debian 12 of its own (as root): archives and wheels in dist
	$(call apt,debootstrap debian-archive-keyring)
	.ci/dist '$(VERSION)'

test-dist: export TESTS := 1
test-dist: SUITES ?= bookworm
test-dist: dist build ## run the demo with those programs on minimal systems, SUITES=bookworm; on the first, try the wheel and test scripts
	$(call apt,qemu-user-static)
	.ci/test-dist '$(VERSION)' $(SUITES)

release: ## publish dist as the release VERSION at GitHub, by its program gh
	gh release create '$(VERSION)' --verify-tag --generate-notes dist/descbench-*

race: deps ## run all tests with the race detector, except soak, whose program is built without it
	go test -race -timeout $(TIMEOUT) $$(go list ./... | grep -v /soak$$)

soak: deps ## for about two hours, kill, damage, crowd and fuzz the program (strace, a Debian package, as root); print what it survived
	$(call apt,strace)
	@mkdir -p bin
	$(MAKE) leaks
	go test -count=1 -timeout 3h ./cmd/descbench/soak -soak.table $(CURDIR)/bin/soak.md \
		-soak.kills $(KILLS) -soak.flips $(FLIPS) -soak.faults $(FAULTS) -soak.seed $(SEED) || \
		{ cat bin/soak.md; exit 1; }
	$(MAKE) -s fuzz >bin/fuzz.log || { cat bin/fuzz.log; exit 1; }
	@awk '/^fuzz: elapsed.* execs:/ { execs[target] = $$5 + 0 } NF == 2 && $$2 ~ /^Fuzz/ { target = $$0 } \
		END { for (t in execs) { n += execs[t]; m++ }; \
		printf "| hostile inputs | %d from %d fuzz tests |\n", n, m }' bin/fuzz.log >>bin/soak.md
	@cat bin/soak.md

leaks: deps ## check that no goroutine, file or OpenCV matrix is left behind
	GOFLAGS='$(GOFLAGS),matprofile' go test -count=1 -run 'Leaves|LeftBehind' \
		$$(grep -rlE --include='*_test.go' 'matprofile' . | xargs -r dirname | sort -u)

vuln: ## look up known vulnerabilities of the dependencies at vuln.go.dev
	$(VULNCHECK) ./...

lint: deps ## run golangci-lint with the rules of .golangci.yml
	$(LINTER) run

linter:
	@$(LINTER) version

bench: deps ## measure the table of docs/performance.md, or its lines that match BENCH=regexp
	@mkdir -p bin
	go test -count=1 -v -timeout 3h ./cmd/descbench/speed -run '^TestSpeed$$/($(BENCH))' -speed.table $(CURDIR)/bin/speed.md
	@cat bin/speed.md

bench-peers: export BENCH_PEERS := /usr/bin/python3
bench-peers: bench ## the same and its lines against numpy with OpenBLAS, FAISS and OpenCV, in Debian's python3 (python3-numpy libopenblas0-pthread python3-faiss python3-opencv)

picture: build ## make docs/report.png from the demo's report (Chromium, a Debian package, as root)
	$(call apt,chromium)
	dir=$$(mktemp -d) && trap 'rm -rf "$$dir"' EXIT && \
	bin/descbench run configs/demo.yaml --out "$$dir" --quiet && bin/descbench report "$$dir/demo" --quiet && \
	chromium --headless --no-sandbox --hide-scrollbars --window-size=1220,1160 --screenshot=docs/report.png "file://$$dir/demo/report.html"

cover: deps ## test coverage of the pure packages; details in bin/cover.html
	@mkdir -p bin
	go test -coverprofile=bin/cover.out $(PURE)
	go tool cover -html=bin/cover.out -o bin/cover.html

# Reducing interesting inputs, which is not counted, would take most of the time. Before
# Go 1.27, a test may fail because its time is over, without a failing input
# (https://go.dev/issue/75804).
fuzz: deps ## run every fuzz test for FUZZTIME=10s
	@log=$$(mktemp) && trap 'rm -f "$$log"' EXIT; \
	grep -r --include='*_test.go' '^func Fuzz' . | sed 's,/[^/]*:func , ,; s,(.*,,' | \
	while read -r package name; do \
		echo "$$package $$name"; \
		go test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$package >"$$log" 2>&1; \
		status=$$?; cat "$$log"; \
		[ $$status = 0 ] || { grep -q 'context deadline exceeded' "$$log" && ! grep -q 'Failing input' "$$log"; } || exit 1; \
	done

# What make mutants changes. Each change is compiled and tested alone.
MUTATE ?= eval/truth eval/scope eval/ranking eval/matching eval/stats eval/binary eval/distractors pipeline/estimate
mutants: deps ## for hours, change operators in MUTATE=packages, and name the changes that no test of the package notices
	for package in $(MUTATE); do \
		GOFLAGS='$(GOFLAGS) -vet=off' go run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash \
			--workers 1 --timeout-coefficient 5 --output-statuses lct ./$$package || exit 1; \
	done

env: ## print the build settings for a shell: eval "$(make -s env)"
	@echo "export GOFLAGS='$(GOFLAGS)'"

docker: ## build the container image descbench:latest
	docker build --build-arg VERSION='$(VERSION)' --tag descbench .

clean: ## remove bin and dist
	rm -rf bin dist
