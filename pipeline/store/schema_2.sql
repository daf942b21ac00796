-- Schema version 2: the kind and protocol of experiments, warnings, digests of the
-- data per scene, NULL for what results of patches lack, and views with the
-- experiment's name.

ALTER TABLE experiments ADD COLUMN kind TEXT NOT NULL DEFAULT 'sequences'; -- sequences: a run on image sequences; patches: one descriptor on the patch benchmark
ALTER TABLE experiments ADD COLUMN protocol TEXT; -- how the main metrics were computed: compare only results with the same text; NULL: not known
UPDATE experiments SET kind = 'patches' WHERE substr(config, 1, 8) = 'patches:';

-- One row per experiment and descriptor: the main metrics over all scenes.
CREATE TABLE results_2 (
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
INSERT INTO results_2
    SELECT r.id, r.experiment_id, r.descriptor, nullif(r.descriptor_type, ''), nullif(r.dimension, 0),
        CASE e.kind WHEN 'sequences' THEN r.keypoint_set END, r.scenes_evaluated,
        CASE e.kind WHEN 'sequences' THEN r.queries_processed END, CASE e.kind WHEN 'sequences' THEN r.queries_excluded END,
        r.true_map_micro, r.true_map_macro, r.viewpoint_map, r.illumination_map,
        r.keypoint_verification_ap, r.verification_viewpoint_ap, r.verification_illumination_ap,
        r.keypoint_retrieval_ap, r.retrieval_viewpoint_ap, r.retrieval_illumination_ap,
        r.retrieval_num_true_positives, r.retrieval_num_hard_negatives, r.retrieval_num_distractors,
        r.precision_at_1, r.precision_at_5, r.precision_at_10, r.recall_at_1, r.recall_at_5, r.recall_at_10,
        r.mean_average_precision, r.legacy_mean_precision,
        CASE e.kind WHEN 'sequences' THEN r.total_matches END, CASE e.kind WHEN 'sequences' THEN r.total_keypoints END,
        r.processing_time_ms, CASE e.kind WHEN 'sequences' THEN r.metadata END
    FROM results r JOIN experiments e ON e.id = r.experiment_id;
DROP TABLE results;
ALTER TABLE results_2 RENAME TO results;

-- One row per descriptor and scene of a run. Of a patch sequence, only the table
-- metrics has values.
CREATE TABLE scene_results_2 (
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
    scene_digest             TEXT,             -- digest of the scene's images and homographies; NULL: entered by an older descbench
    set_digest               TEXT,             -- digest of the keypoints of all its images; NULL: entered by an older descbench
    PRIMARY KEY (experiment_id, descriptor, scene)
) WITHOUT ROWID;
INSERT INTO scene_results_2
    SELECT s.experiment_id, s.descriptor, s.scene, s.category, s.true_map, s.true_map_including_zeros, s.precision,
        s.queries_processed, s.queries_excluded, s.matches, s.keypoints, s.images, s.invalid, NULL, NULL
    FROM scene_results s JOIN experiments e ON e.id = s.experiment_id WHERE e.kind = 'sequences';
DROP TABLE scene_results;
ALTER TABLE scene_results_2 RENAME TO scene_results;

-- Facts about results that their reader must know.
CREATE TABLE warnings (
    experiment_id INTEGER NOT NULL REFERENCES experiments (id) ON DELETE CASCADE, -- id in experiments
    number        INTEGER NOT NULL, -- order of the warnings of an experiment, from 1
    descriptor    TEXT,             -- name in the config; NULL: about the whole run
    kind          TEXT    NOT NULL, -- a fixed word, such as few-scenes
    text          TEXT    NOT NULL, -- one line for people
    PRIMARY KEY (experiment_id, number)
) WITHOUT ROWID;

-- The runs, for choosing the newest ones. The other views begin with the same
-- columns.
CREATE VIEW runs AS
    SELECT e.id AS experiment_id, -- id in experiments
        e.name AS experiment, -- name in the config; for patches, task, benchmark and protocol
        e.identity AS run, -- run ID: digest of what determines the results
        e.kind AS kind, -- sequences or patches
        e.protocol AS protocol, -- compare only results with the same text; NULL: entered by an older descbench
        NOT EXISTS (SELECT 1 FROM experiments l WHERE l.name = e.name AND l.id > e.id AND (e.kind = 'sequences' OR EXISTS (
            SELECT 1 FROM results a JOIN results b ON b.descriptor = a.descriptor WHERE a.experiment_id = e.id AND b.experiment_id = l.id
        ))) AS newest -- 1: the newest run of its experiment (for patches, of the descriptor); 0: there is a newer one
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
