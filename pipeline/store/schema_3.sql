-- Schema version 3: the newest run is the one that finished last, and no time leaves
-- out extraction. Older rows do not say whether features came from the cache.

UPDATE results SET processing_time_ms = NULL;

DROP VIEW runs;

-- The runs, for choosing the newest ones. The other views begin with the same
-- columns.
CREATE VIEW runs AS
    SELECT e.id AS experiment_id, -- id in experiments
        e.name AS experiment, -- name in the config; for patches, task, benchmark and protocol
        e.identity AS run, -- run ID: digest of what determines the results
        e.kind AS kind, -- sequences or patches
        e.protocol AS protocol, -- compare only results with the same text; NULL: not known
        NOT EXISTS (SELECT 1 FROM experiments l WHERE l.name = e.name
            -- Without the Z at their end, times sort as text: 05 is before 05.1.
            AND (rtrim(coalesce(l.finished, ''), 'Z'), l.id) > (rtrim(coalesce(e.finished, ''), 'Z'), e.id)
            AND (e.kind = 'sequences' OR EXISTS (
                SELECT 1 FROM results a JOIN results b ON b.descriptor = a.descriptor WHERE a.experiment_id = e.id AND b.experiment_id = l.id
            ))) AS newest -- 1: the run of its experiment (for patches, of the descriptor) that finished last; 0: another one finished later
    FROM experiments e;
