-- DropIndex
DROP INDEX "snippets_visibility_created_at_id_idx";

-- CreateIndex
CREATE INDEX "events_target_target_id_idx" ON "events"("target", "target_id");

-- CreateIndex
CREATE INDEX "events_note_id_idx" ON "events"("note_id");

-- CreateIndex
CREATE INDEX "merge_requests_source_branch_created_at_id_idx" ON "merge_requests"("source_branch", "created_at", "id");

-- CreateIndex
CREATE INDEX "snippets_visibility_project_id_created_at_id_idx" ON "snippets"("visibility", "project_id", "created_at", "id");

-- What a start looks for: merges that a kill cut off.
CREATE INDEX "merge_requests_locked" ON "merge_requests"("id") WHERE "state" = 'locked';
