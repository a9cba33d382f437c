-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "deadline_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "pipelines" ADD COLUMN     "commit_message" TEXT;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "build_timeout" INTEGER NOT NULL DEFAULT 3600;

-- The search for jobs that run past their deadline reads running jobs alone.
CREATE INDEX "jobs_overdue" ON "jobs" ("deadline_at") WHERE "status" = 'running';
