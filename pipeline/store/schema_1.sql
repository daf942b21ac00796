-- Results of descbench, schema version 1. NULL means not computed, or
-- undefined because there was nothing to take a mean of.

CREATE TABLE experiments (
    id               INTEGER PRIMARY KEY,
    name             TEXT    NOT NULL,
    identity         TEXT    NOT NULL, -- digest of what determines the results
    description      TEXT    NOT NULL,
    config           TEXT    NOT NULL, -- effective, YAML
    environment      TEXT    NOT NULL, -- versions, CPU, seeds, data digests; JSON
    started          TEXT,             -- RFC 3339, UTC
    finished         TEXT,
    scenes_requested INTEGER NOT NULL,
    scenes_evaluated INTEGER NOT NULL, -- on every descriptor
    UNIQUE (name, identity)
);

CREATE TABLE results (
    id                           INTEGER PRIMARY KEY,
    experiment_id                INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    descriptor                   TEXT    NOT NULL, -- name in the config
    descriptor_type              TEXT    NOT NULL,
    dimension                    INTEGER NOT NULL,
    keypoint_set                 TEXT    NOT NULL,
    scenes_evaluated             INTEGER NOT NULL,
    queries_processed            INTEGER NOT NULL,
    queries_excluded             INTEGER NOT NULL,
    true_map_micro               REAL,
    true_map_macro               REAL, -- by scene
    viewpoint_map                REAL,
    illumination_map             REAL,
    keypoint_verification_ap     REAL,
    verification_viewpoint_ap    REAL,
    verification_illumination_ap REAL,
    keypoint_retrieval_ap        REAL,
    retrieval_viewpoint_ap       REAL,
    retrieval_illumination_ap    REAL,
    retrieval_num_true_positives INTEGER,
    retrieval_num_hard_negatives INTEGER,
    retrieval_num_distractors    INTEGER,
    precision_at_1               REAL,
    precision_at_5               REAL,
    precision_at_10              REAL,
    recall_at_1                  REAL,
    recall_at_5                  REAL,
    recall_at_10                 REAL,
    mean_average_precision       REAL, -- true_map_macro if positive, else true_map_micro
    legacy_mean_precision        REAL, -- the metric mean_precision
    total_matches                INTEGER,
    total_keypoints              INTEGER,
    processing_time_ms           REAL, -- the descriptor's own stages, summed over workers
    metadata                     TEXT, -- key=value;...
    UNIQUE (experiment_id, descriptor)
);

CREATE TABLE metrics (
    experiment_id INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    descriptor    TEXT    NOT NULL,
    scope         TEXT    NOT NULL, -- all, a category, k:<k>, scene:<name>, pair:<scene>/1_<k>
    metric        TEXT    NOT NULL,
    value         REAL    NOT NULL,
    ci_low        REAL,
    ci_high       REAL,
    n             INTEGER NOT NULL,
    PRIMARY KEY (experiment_id, descriptor, scope, metric)
) WITHOUT ROWID;

CREATE TABLE scene_results (
    experiment_id            INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    descriptor               TEXT    NOT NULL,
    scene                    TEXT    NOT NULL,
    category                 TEXT    NOT NULL,
    true_map                 REAL,
    true_map_including_zeros REAL,
    precision                REAL,
    queries_processed        INTEGER NOT NULL,
    queries_excluded         INTEGER NOT NULL,
    matches                  INTEGER NOT NULL,
    keypoints                INTEGER NOT NULL, -- of all images
    images                   INTEGER NOT NULL,
    invalid                  INTEGER NOT NULL, -- descriptor rows that describe nothing
    PRIMARY KEY (experiment_id, descriptor, scene)
) WITHOUT ROWID;

CREATE TABLE pair_results (
    experiment_id     INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    descriptor        TEXT    NOT NULL,
    scene             TEXT    NOT NULL,
    k                 INTEGER NOT NULL, -- the pair is (image 1, image k)
    true_map          REAL,
    precision         REAL,
    queries_processed INTEGER NOT NULL,
    queries_excluded  INTEGER NOT NULL,
    matches           INTEGER NOT NULL,
    keypoints_1       INTEGER NOT NULL,
    keypoints_k       INTEGER NOT NULL,
    PRIMARY KEY (experiment_id, descriptor, scene, k)
) WITHOUT ROWID;

-- Ranks that no query has are left out, and so are single pairs, whose ranks
-- are in queries.parquet.
CREATE TABLE histograms (
    experiment_id    INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    descriptor       TEXT    NOT NULL,
    scope            TEXT    NOT NULL, -- as in metrics
    rank             INTEGER NOT NULL, -- rounded up, from 1
    queries          INTEGER NOT NULL, -- processed queries of this rank
    cumulative_share REAL    NOT NULL, -- of this rank or better: the cumulative match curve
    PRIMARY KEY (experiment_id, descriptor, scope, rank)
) WITHOUT ROWID;

CREATE TABLE keypoint_sets (
    experiment_id INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE,
    name          TEXT    NOT NULL,
    scenes        INTEGER NOT NULL,
    images        INTEGER NOT NULL,
    keypoints     INTEGER NOT NULL,
    min_per_image INTEGER,
    max_per_image INTEGER,
    PRIMARY KEY (experiment_id, name)
) WITHOUT ROWID;
