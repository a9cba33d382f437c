-- The releases of a project are listed newest first.

CREATE INDEX "releases_project_id_id_idx" ON "releases"("project_id", "id");
