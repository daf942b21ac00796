-- Results of descbench, schema version 1. docs/columns.md is made from the comments
-- of the schema files: what a column means, its unit and range; what NULL means.
-- The last definition of a table or column counts.

-- One row per run, or per descriptor and evaluation of patches.
CREATE TABLE experiments (
    id               INTEGER PRIMARY KEY, -- experiment_id of the other tables; grows with the order of insertion
    name             TEXT    NOT NULL, -- name in the config; for patches, task, benchmark and protocol
    identity         TEXT    NOT NULL, -- run ID: digest of what determines the results
    description      TEXT    NOT NULL, -- description in the config
    config           TEXT    NOT NULL, -- effective config, YAML
    environment      TEXT    NOT NULL, -- versions, CPU, seeds, digests of the data; JSON
    started          TEXT,             -- when the run folder was created, RFC 3339, UTC; NULL: not known
    finished         TEXT,             -- when the results were computed, RFC 3339, UTC; NULL: not known
    scenes_requested INTEGER NOT NULL, -- scenes of the run, count
    scenes_evaluated INTEGER NOT NULL, -- scenes with results of every descriptor, count
    UNIQUE (name, identity)
);

-- One row per experiment and descriptor: the main metrics over all scenes.
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

-- Every metric in every scope, one row each. Undefined metrics have no row.
CREATE TABLE metrics (
    experiment_id INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE, -- id in experiments
    descriptor    TEXT    NOT NULL, -- name in the config
    scope         TEXT    NOT NULL, -- scenes or pairs that the value covers: all, a category (viewpoint, illumination, other), subset:<name>, subset:<name>/<category>, k:<k>, scene:<name>, pair:<scene>/1_<k>
    metric        TEXT    NOT NULL, -- name; descbench metrics explains each with its unit and range
    value         REAL    NOT NULL, -- value of the metric, finite
    ci_low        REAL,             -- lower bound of the 95 % interval, as value; NULL: no interval
    ci_high       REAL,             -- upper bound of the 95 % interval, as value; NULL: no interval
    n             INTEGER NOT NULL, -- items that value is a mean over: queries, scenes or pairs; for a count, items examined
    PRIMARY KEY (experiment_id, descriptor, scope, metric)
) WITHOUT ROWID;

-- One row per descriptor and scene.
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

-- One row per descriptor and image pair.
CREATE TABLE pair_results (
    experiment_id     INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE, -- id in experiments
    descriptor        TEXT    NOT NULL, -- name in the config
    scene             TEXT    NOT NULL, -- folder of the scene
    k                 INTEGER NOT NULL, -- the pair is (image 1, image k), from 2
    true_map          REAL,             -- mean average precision of the processed queries, a share, 0 to 1; NULL: no processed query
    precision         REAL,             -- share of all queries whose nearest neighbour is correct, 0 to 1; NULL: no query
    queries_processed INTEGER NOT NULL, -- queries with a ground truth that the evaluation does not exclude, count
    queries_excluded  INTEGER NOT NULL, -- all other queries, count
    matches           INTEGER NOT NULL, -- queries with a nearest neighbour, count
    keypoints_1       INTEGER NOT NULL, -- keypoints of image 1: the queries, count
    keypoints_k       INTEGER NOT NULL, -- keypoints of image k: the candidates, count
    PRIMARY KEY (experiment_id, descriptor, scene, k)
) WITHOUT ROWID;

-- How many queries have which rank. Ranks that no query has are left out, and so
-- are single pairs, whose ranks are in queries.parquet.
CREATE TABLE histograms (
    experiment_id    INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE, -- id in experiments
    descriptor       TEXT    NOT NULL, -- name in the config
    scope            TEXT    NOT NULL, -- as in metrics
    rank             INTEGER NOT NULL, -- rank of the ground truth, rounded up, from 1
    queries          INTEGER NOT NULL, -- processed queries of this rank, count, from 1
    cumulative_share REAL    NOT NULL, -- share of processed queries of this rank or better: the cumulative match curve, 0 to 1
    PRIMARY KEY (experiment_id, descriptor, scope, rank)
) WITHOUT ROWID;

-- One row per keypoint set of a run.
CREATE TABLE keypoint_sets (
    experiment_id INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE, -- id in experiments
    name          TEXT    NOT NULL, -- name in the config
    scenes        INTEGER NOT NULL, -- scenes with this set, count
    images        INTEGER NOT NULL, -- images of these scenes, count
    keypoints     INTEGER NOT NULL, -- keypoints of these images, count
    min_per_image INTEGER,          -- least keypoints of an image, count; NULL: no image
    max_per_image INTEGER,          -- most keypoints of an image, count; NULL: no image
    PRIMARY KEY (experiment_id, name)
) WITHOUT ROWID;
