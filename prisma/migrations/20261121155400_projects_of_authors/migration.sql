-- DropIndex
DROP INDEX "events_author_id_id_idx";

-- Where somebody did something is read from the index alone.
CREATE INDEX "events_author_id_project_id_idx" ON "events"("author_id", "project_id");
