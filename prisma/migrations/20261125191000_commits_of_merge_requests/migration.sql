-- CreateTable
CREATE TABLE "merge_request_commits" (
    "merge_request_id" INTEGER NOT NULL,
    "sha" TEXT NOT NULL,

    CONSTRAINT "merge_request_commits_pkey" PRIMARY KEY ("merge_request_id","sha")
);

-- CreateTable
CREATE TABLE "merge_request_commit_backfills" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "last_id" INTEGER NOT NULL,

    CONSTRAINT "merge_request_commit_backfills_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "merge_request_commits_sha_merge_request_id_idx" ON "merge_request_commits"("sha", "merge_request_id");

-- AddForeignKey
ALTER TABLE "merge_request_commits" ADD CONSTRAINT "merge_request_commits_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The commits of existing merge requests are in the repositories only: a background job reads them.
-- By the sequence, because that needs no look at the table.
INSERT INTO "merge_request_commit_backfills" ("last_id")
SELECT last_value FROM "merge_requests_id_seq" WHERE is_called;
