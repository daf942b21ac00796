# docker build --build-arg VERSION="$(git describe --tags --always)" -t descbench .   (or: make docker)
# docker run --rm descbench run configs/demo.yaml
# docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data" descbench \
#     run configs/sift_baseline.yaml --data /data/hpatches --out /data/runs --cache /data/cache

FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY .ci/deps .ci/
RUN .ci/deps && go mod download
COPY . .
ARG VERSION=unknown
RUN make build VERSION="$VERSION"

FROM debian:bookworm-slim
# The modules that the program links to, and libjpeg. Their packages depend on those of core, imgproc, features2d and flann.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libopencv-calib3d406 libopencv-imgcodecs406 libopencv-dnn406 libjpeg62-turbo ca-certificates \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --create-home --uid 10001 descbench
# A number, by which Kubernetes can tell that this is not root.
USER 10001
WORKDIR /home/descbench
COPY --from=build /src/bin/descbench /usr/local/bin/
COPY --chown=descbench configs configs/
COPY --chown=descbench testdata testdata/
ENTRYPOINT ["descbench"]
