-- Rows written before these rules: colours are six digits, and nothing ends before its creation.
UPDATE "labels" SET "color" = regexp_replace("color", '^#(.)(.)(.)$', '#\1\1\2\2\3\3')
WHERE "color" ~ '^#...$';
UPDATE "pipelines" SET "finished_at" = "created_at" WHERE "finished_at" < "created_at";
UPDATE "jobs" SET "finished_at" = "created_at" WHERE "finished_at" < "created_at";
UPDATE "commit_statuses" SET "finished_at" = "created_at" WHERE "finished_at" < "created_at";
