-- CreateTable
CREATE TABLE "merge_request_versions" (
    "id" SERIAL NOT NULL,
    "merge_request_id" INTEGER NOT NULL,
    "head_sha" TEXT NOT NULL,
    "start_sha" TEXT,
    "base_sha" TEXT,
    "changed_files" INTEGER,
    "is_overflowing" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "merge_request_versions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "merge_request_versions_merge_request_id_id_idx" ON "merge_request_versions"("merge_request_id", "id");

-- AddForeignKey
ALTER TABLE "merge_request_versions" ADD CONSTRAINT "merge_request_versions_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The job that records the commits of existing merge requests records their present version, too:
-- it runs for all of them, again if they have been done already. By the sequence, because that needs
-- no look at the table.
INSERT INTO "merge_request_commit_backfills" ("last_id")
SELECT last_value FROM "merge_requests_id_seq" WHERE is_called
ON CONFLICT ("id") DO UPDATE SET "last_id" = EXCLUDED."last_id";
