-- Results of descbench. A comment says what a column means, its unit and range, and what NULL
-- means; so does docs/columns.md.

-- One row per run, or per descriptor and evaluation of patches.
CREATE TABLE experiments (
    id               INTEGER PRIMARY KEY, -- experiment_id of the other tables; grows with the order of insertion
    name             TEXT    NOT NULL, -- name in the config; for patches, task, benchmark and protocol
    identity         TEXT    NOT NULL, -- run ID: digest of what determines the results
    description      TEXT    NOT NULL, -- description in the config
    config           TEXT    NOT NULL, -- effective config, YAML
    environment      TEXT    NOT NULL, -- versions, CPU, digests of the data; JSON
    started          TEXT,             -- when the run folder was created, RFC 3339, UTC; NULL: not known
    finished         TEXT,             -- when the last unit of the results was computed, RFC 3339, UTC; NULL: not known
    scenes_requested INTEGER NOT NULL, -- scenes of the run, count
    scenes_evaluated INTEGER NOT NULL, -- scenes with results of every descriptor, count
    kind             TEXT    NOT NULL, -- sequences: a run on image sequences; patches: one descriptor on the patch benchmark
    protocol         TEXT,             -- how the main metrics were computed: r1 and the settings that differ from it; compare only results with the same protocol; NULL: not known
    data_digest      TEXT,             -- digest of the images and homographies of all evaluated scenes; NULL: not known
    folder           TEXT,             -- run folder that was entered; NULL: results of patches, or the run's own file
    UNIQUE (name, identity)
);

-- One row per experiment and descriptor: the main metrics over all scenes.
CREATE TABLE results (
    id                           INTEGER PRIMARY KEY, -- grows with the order of insertion
    experiment_id                INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE, -- id in experiments
    descriptor                   TEXT    NOT NULL, -- name in the config
    descriptor_type              TEXT,    -- type in the config; of patches, the element type; NULL: read from result files
    dimension                    INTEGER, -- elements per row: numbers or bits, count; NULL: not known
    keypoint_set                 TEXT,    -- keypoint set in the config; NULL: results of patches
    scenes_evaluated             INTEGER NOT NULL, -- scenes or patch sequences with results, count
    queries_processed            INTEGER, -- queries with a ground truth that the evaluation does not exclude, count; NULL: results of patches
    queries_excluded             INTEGER, -- all other queries, count; NULL: results of patches
    true_map_micro               REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    true_map_macro               REAL, -- the metric true_map_macro_by_scene, a share, 0 to 1; NULL: not computed or undefined
    viewpoint_map                REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    illumination_map             REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    keypoint_verification_ap     REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    verification_viewpoint_ap    REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    verification_illumination_ap REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    keypoint_retrieval_ap        REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    retrieval_viewpoint_ap       REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    retrieval_illumination_ap    REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    retrieval_num_true_positives INTEGER, -- the metric of this name, count; NULL: not computed
    retrieval_num_hard_negatives INTEGER, -- the metric of this name, count; NULL: not computed
    retrieval_num_distractors    INTEGER, -- the metric of this name, count; NULL: not computed
    precision_at_1               REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    precision_at_5               REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    precision_at_10              REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    recall_at_1                  REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    recall_at_5                  REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    recall_at_10                 REAL, -- the metric of this name, a share, 0 to 1; NULL: not computed or undefined
    mean_average_precision       REAL, -- true_map_macro if positive, else true_map_micro, a share, 0 to 1; NULL: neither is defined
    legacy_mean_precision        REAL, -- the metric mean_precision, a share, 0 to 1; NULL: not computed or undefined
    total_matches                INTEGER, -- queries with a nearest neighbour, over all pairs, count; NULL: results of patches
    total_keypoints              INTEGER, -- keypoints of all images, count; NULL: results of patches
    processing_time_ms           REAL, -- the descriptor's own stages, summed over workers, ms, from 0; NULL: not measured, or unknown for some features
    metadata                     TEXT, -- key=value;... with the metrics of every scene, in a fixed order; NULL: results of patches
    UNIQUE (experiment_id, descriptor)
);

-- One row per metric and scope. Undefined metrics have no row.
CREATE TABLE metrics (
    experiment_id INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE, -- id in experiments
    descriptor    TEXT    NOT NULL, -- name in the config
    scope         TEXT    NOT NULL, -- scenes or pairs that the value covers: all, a category (viewpoint, illumination, other), subset:<name>, subset:<name>/<category>, group:<name>, k:<k>, scene:<name>, pair:<scene>/1_<k>
    metric        TEXT    NOT NULL, -- name; descbench metrics explains each with its unit and range
    value         REAL    NOT NULL, -- value of the metric, finite
    ci_low        REAL,             -- lower bound of the 95 % interval, as value; NULL: no interval
    ci_high       REAL,             -- upper bound of the 95 % interval, as value; NULL: no interval
    n             INTEGER NOT NULL, -- items that value is a mean over: queries, scenes or pairs; for a count, items examined
    PRIMARY KEY (experiment_id, descriptor, scope, metric)
) WITHOUT ROWID;

-- One row per descriptor and scene of a run. Of a patch sequence, only the table
-- metrics has values.
CREATE TABLE scene_results (
    experiment_id            INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE, -- id in experiments
    descriptor               TEXT    NOT NULL, -- name in the config
    scene                    TEXT    NOT NULL, -- folder of the scene
    category                 TEXT    NOT NULL, -- viewpoint, illumination or other
    true_map                 REAL,             -- mean average precision of the processed queries, a share, 0 to 1; NULL: no processed query
    true_map_including_zeros REAL,             -- the same with excluded queries counted as 0, a share, 0 to 1; NULL: no query
    precision                REAL,             -- mean over pairs of the share of all queries whose nearest neighbour is correct, 0 to 1; NULL: no query
    queries_processed        INTEGER NOT NULL, -- queries with a ground truth that the evaluation does not exclude, over all pairs, count
    queries_excluded         INTEGER NOT NULL, -- all other queries, over all pairs, count
    matches                  INTEGER NOT NULL, -- queries with a nearest neighbour, over all pairs, count
    keypoints                INTEGER NOT NULL, -- keypoints of all images, count
    images                   INTEGER NOT NULL, -- images, count
    invalid                  INTEGER NOT NULL, -- descriptor rows that could not be computed, of all images, count
    scene_digest             TEXT,             -- digest of the scene's images and homographies; NULL: not known
    set_digest               TEXT,             -- digest of the keypoints of all its images; NULL: not known
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
    corner_errors     TEXT,             -- as in pairs.parquet: corner errors of homographies by estimator, px; JSON; NULL: none
    pose_errors       TEXT,             -- as in pairs.parquet: errors of relative poses by estimator, degrees; JSON; NULL: none
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

-- Facts about results that their reader must know.
CREATE TABLE warnings (
    experiment_id INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE, -- id in experiments
    number        INTEGER NOT NULL, -- order of the warnings of an experiment, from 1
    descriptor    TEXT,             -- name in the config; NULL: about the whole run
    kind          TEXT    NOT NULL, -- a fixed word, such as few-scenes
    text          TEXT    NOT NULL, -- one line for people
    fact          TEXT    NOT NULL, -- what it is about, its numbers and names; JSON
    PRIMARY KEY (experiment_id, number)
) WITHOUT ROWID;

-- The runs, for choosing the newest ones. The other views begin with the same
-- columns.
CREATE VIEW runs AS
    SELECT e.id AS experiment_id, -- id in experiments
        e.name AS experiment, -- name in the config; for patches, task, benchmark and protocol
        e.identity AS run, -- run ID: digest of what determines the results
        e.kind AS kind, -- sequences or patches
        e.protocol AS protocol, -- compare only results with the same one; NULL: not known
        NOT EXISTS (SELECT 1 FROM experiments l WHERE l.name = e.name AND l.protocol IS e.protocol AND l.data_digest IS e.data_digest
            -- Without the Z at their end, times sort as text: 05 is before 05.1.
            AND (rtrim(coalesce(l.finished, ''), 'Z'), l.id) > (rtrim(coalesce(e.finished, ''), 'Z'), e.id)
            AND (e.kind = 'sequences' OR EXISTS (
                SELECT 1 FROM results a JOIN results b ON b.descriptor = a.descriptor WHERE a.experiment_id = e.id AND b.experiment_id = l.id
            ))) AS newest -- 1: the run of its experiment, protocol and scenes (for patches, of the descriptor) that finished last; 0: another one finished later
    FROM experiments e;
CREATE VIEW named_results AS SELECT n.experiment, n.run, n.kind, n.protocol, n.newest, t.* FROM results t JOIN runs n USING (experiment_id);
CREATE VIEW named_metrics AS
    SELECT n.experiment, n.run, n.kind, n.protocol, n.newest, t.*,
        CASE WHEN t.scope GLOB 'scene:*' THEN substr(t.scope, 7)
            WHEN t.scope GLOB 'pair:*' THEN substr(t.scope, 6, instr(t.scope, '/1_') - 6) END AS scene, -- scene of the scope; NULL: several scenes
        CASE WHEN t.scope GLOB 'k:*' THEN CAST(substr(t.scope, 3) AS INTEGER)
            WHEN t.scope GLOB 'pair:*' THEN CAST(substr(t.scope, instr(t.scope, '/1_') + 3) AS INTEGER) END AS k -- image index of the scope, from 2; NULL: all images
    FROM metrics t JOIN runs n USING (experiment_id);
CREATE VIEW named_scene_results AS SELECT n.experiment, n.run, n.kind, n.protocol, n.newest, t.* FROM scene_results t JOIN runs n USING (experiment_id);
CREATE VIEW named_pair_results AS SELECT n.experiment, n.run, n.kind, n.protocol, n.newest, t.* FROM pair_results t JOIN runs n USING (experiment_id);
CREATE VIEW named_histograms AS SELECT n.experiment, n.run, n.kind, n.protocol, n.newest, t.* FROM histograms t JOIN runs n USING (experiment_id);
CREATE VIEW named_keypoint_sets AS SELECT n.experiment, n.run, n.kind, n.protocol, n.newest, t.* FROM keypoint_sets t JOIN runs n USING (experiment_id);
CREATE VIEW named_warnings AS SELECT n.experiment, n.run, n.kind, n.protocol, n.newest, t.* FROM warnings t JOIN runs n USING (experiment_id);
