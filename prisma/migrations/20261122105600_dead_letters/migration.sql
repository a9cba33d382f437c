-- DropIndex
DROP INDEX "pushes_created_at_idx";

-- AlterTable
ALTER TABLE "pushes" ADD COLUMN     "is_settling" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "settle_at" TIMESTAMPTZ(3) DEFAULT (now() + '00:01:00'::interval);

-- CreateTable
CREATE TABLE "dead_letters" (
    "id" SERIAL NOT NULL,
    "job_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL,
    "error" TEXT NOT NULL,
    "is_fatal" BOOLEAN NOT NULL,
    "project_id" INTEGER,
    "user_id" INTEGER,
    "merge_request_id" INTEGER,
    "enqueued_at" TIMESTAMPTZ(3) NOT NULL,
    "failed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "dead_letters_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "interrupted_jobs" (
    "job_id" UUID NOT NULL,
    "deaths" SMALLINT NOT NULL DEFAULT 0,
    "is_running" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "interrupted_jobs_pkey" PRIMARY KEY ("job_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "dead_letters_job_id_key" ON "dead_letters"("job_id");

-- CreateIndex
CREATE INDEX "dead_letters_kind_idx" ON "dead_letters"("kind");

-- CreateIndex
CREATE INDEX "dead_letters_failed_at_idx" ON "dead_letters"("failed_at");

-- CreateIndex
CREATE INDEX "dead_letters_project_id_idx" ON "dead_letters"("project_id");

-- CreateIndex
CREATE INDEX "dead_letters_user_id_idx" ON "dead_letters"("user_id");

-- CreateIndex
CREATE INDEX "dead_letters_merge_request_id_idx" ON "dead_letters"("merge_request_id");

-- CreateIndex
CREATE INDEX "interrupted_jobs_created_at_idx" ON "interrupted_jobs"("created_at");

-- CreateIndex
CREATE INDEX "pushes_settle_at_id_idx" ON "pushes"("settle_at", "id");

-- AddForeignKey
ALTER TABLE "dead_letters" ADD CONSTRAINT "dead_letters_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dead_letters" ADD CONSTRAINT "dead_letters_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dead_letters" ADD CONSTRAINT "dead_letters_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE SET NULL ON UPDATE CASCADE;
