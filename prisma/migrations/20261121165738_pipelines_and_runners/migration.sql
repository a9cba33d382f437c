-- CreateEnum
CREATE TYPE "ci_status" AS ENUM ('created', 'pending', 'running', 'success', 'failed', 'canceled', 'skipped', 'manual');

-- CreateEnum
CREATE TYPE "pipeline_source" AS ENUM ('push', 'web', 'trigger', 'schedule', 'api', 'external');

-- CreateEnum
CREATE TYPE "job_failure" AS ENUM ('script_failure', 'runner_system_failure', 'stuck_or_timeout_failure', 'missing_dependency_failure', 'unknown_failure');

-- CreateEnum
CREATE TYPE "runner_access" AS ENUM ('not_protected', 'ref_protected');

-- AlterTable
ALTER TABLE "application_settings" ADD COLUMN     "runners_token_digest" BYTEA,
ADD COLUMN     "runners_token_sealed" TEXT;

-- AlterTable
ALTER TABLE "commit_statuses" ADD COLUMN     "pipeline_id" INTEGER;

-- CreateTable
CREATE TABLE "pipelines" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "source" "pipeline_source" NOT NULL,
    "status" "ci_status" NOT NULL DEFAULT 'created',
    "ref" TEXT NOT NULL,
    "is_tag" BOOLEAN NOT NULL DEFAULT false,
    "sha" TEXT NOT NULL,
    "before_sha" TEXT NOT NULL,
    "user_id" INTEGER,
    "is_protected" BOOLEAN NOT NULL DEFAULT false,
    "yaml_errors" TEXT,
    "stages" TEXT[],
    "variables_sealed" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "committed_at" TIMESTAMPTZ(3),
    "duration" INTEGER,
    "coverage" DOUBLE PRECISION,
    "trigger_id" INTEGER,

    CONSTRAINT "pipelines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "jobs" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "pipeline_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "stage" TEXT NOT NULL,
    "stage_index" SMALLINT NOT NULL,
    "status" "ci_status" NOT NULL DEFAULT 'created',
    "when" TEXT NOT NULL DEFAULT 'on_success',
    "is_allowed_to_fail" BOOLEAN NOT NULL DEFAULT false,
    "is_retried" BOOLEAN NOT NULL DEFAULT false,
    "retries_left" SMALLINT NOT NULL DEFAULT 0,
    "tags" TEXT[],
    "is_protected" BOOLEAN NOT NULL DEFAULT false,
    "definition" JSONB NOT NULL,
    "token_digest" BYTEA,
    "token_sealed" TEXT,
    "runner_id" INTEGER,
    "user_id" INTEGER,
    "failure" "job_failure",
    "coverage" DOUBLE PRECISION,
    "trace_size" INTEGER NOT NULL DEFAULT 0,
    "artifacts_file" TEXT,
    "artifacts_size" BIGINT,
    "artifacts_expire_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "queued_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "heard_at" TIMESTAMPTZ(3),

    CONSTRAINT "jobs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "triggers" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "owner_id" INTEGER,
    "token_digest" BYTEA NOT NULL,
    "token_sealed" TEXT NOT NULL,
    "description" TEXT,
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "triggers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runners" (
    "id" SERIAL NOT NULL,
    "token_digest" BYTEA NOT NULL,
    "token_sealed" TEXT NOT NULL,
    "description" TEXT,
    "is_shared" BOOLEAN NOT NULL DEFAULT false,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "is_locked" BOOLEAN NOT NULL DEFAULT false,
    "runs_untagged" BOOLEAN NOT NULL DEFAULT true,
    "access" "runner_access" NOT NULL DEFAULT 'not_protected',
    "tags" TEXT[],
    "name" TEXT,
    "version" TEXT,
    "revision" TEXT,
    "platform" TEXT,
    "architecture" TEXT,
    "contacted_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "runners_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runner_projects" (
    "runner_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "runner_projects_pkey" PRIMARY KEY ("runner_id","project_id")
);

-- CreateIndex
CREATE INDEX "pipelines_project_id_id_idx" ON "pipelines"("project_id", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_status_id_idx" ON "pipelines"("project_id", "status", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_ref_id_idx" ON "pipelines"("project_id", "ref", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_user_id_id_idx" ON "pipelines"("project_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "pipelines_project_id_sha_id_idx" ON "pipelines"("project_id", "sha", "id");

-- CreateIndex
CREATE INDEX "pipelines_user_id_idx" ON "pipelines"("user_id");

-- CreateIndex
CREATE INDEX "pipelines_trigger_id_idx" ON "pipelines"("trigger_id");

-- CreateIndex
CREATE UNIQUE INDEX "jobs_token_digest_key" ON "jobs"("token_digest");

-- CreateIndex
CREATE INDEX "jobs_pipeline_id_id_idx" ON "jobs"("pipeline_id", "id");

-- CreateIndex
CREATE INDEX "jobs_project_id_id_idx" ON "jobs"("project_id", "id");

-- CreateIndex
CREATE INDEX "jobs_project_id_status_id_idx" ON "jobs"("project_id", "status", "id");

-- CreateIndex
CREATE INDEX "jobs_runner_id_status_id_idx" ON "jobs"("runner_id", "status", "id");

-- CreateIndex
CREATE INDEX "jobs_user_id_idx" ON "jobs"("user_id");

-- CreateIndex
CREATE INDEX "jobs_artifacts_expire_at_idx" ON "jobs"("artifacts_expire_at");

-- CreateIndex
CREATE UNIQUE INDEX "triggers_token_digest_key" ON "triggers"("token_digest");

-- CreateIndex
CREATE INDEX "triggers_project_id_id_idx" ON "triggers"("project_id", "id");

-- CreateIndex
CREATE INDEX "triggers_owner_id_idx" ON "triggers"("owner_id");

-- CreateIndex
CREATE UNIQUE INDEX "runners_token_digest_key" ON "runners"("token_digest");

-- CreateIndex
CREATE INDEX "runners_is_shared_id_idx" ON "runners"("is_shared", "id");

-- CreateIndex
CREATE INDEX "runner_projects_project_id_runner_id_idx" ON "runner_projects"("project_id", "runner_id");

-- CreateIndex
CREATE INDEX "commit_statuses_pipeline_id_id_idx" ON "commit_statuses"("pipeline_id", "id");

-- AddForeignKey
ALTER TABLE "pipelines" ADD CONSTRAINT "pipelines_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipelines" ADD CONSTRAINT "pipelines_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipelines" ADD CONSTRAINT "pipelines_trigger_id_fkey" FOREIGN KEY ("trigger_id") REFERENCES "triggers"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_pipeline_id_fkey" FOREIGN KEY ("pipeline_id") REFERENCES "pipelines"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_runner_id_fkey" FOREIGN KEY ("runner_id") REFERENCES "runners"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "triggers" ADD CONSTRAINT "triggers_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "commit_statuses" ADD CONSTRAINT "commit_statuses_pipeline_id_fkey" FOREIGN KEY ("pipeline_id") REFERENCES "pipelines"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runner_projects" ADD CONSTRAINT "runner_projects_runner_id_fkey" FOREIGN KEY ("runner_id") REFERENCES "runners"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runner_projects" ADD CONSTRAINT "runner_projects_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Who hands out jobs looks at those that wait; who cleans up, at those that run.
CREATE INDEX "jobs_waiting" ON "jobs" ("project_id", "id") WHERE "status" = 'pending';
CREATE INDEX "jobs_running" ON "jobs" ("project_id") WHERE "status" = 'running';
CREATE INDEX "jobs_silent" ON "jobs" ("heard_at") WHERE "status" = 'running';

-- A runner that waits is woken when a job is there for somebody.
CREATE FUNCTION notify_jobs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('millrace_jobs', '');
  RETURN NULL;
END;
$$;
CREATE TRIGGER "jobs_queued" AFTER UPDATE ON "jobs" FOR EACH ROW
  WHEN (NEW."status" = 'pending' AND OLD."status" IS DISTINCT FROM NEW."status")
  EXECUTE FUNCTION notify_jobs();
CREATE TRIGGER "jobs_added" AFTER INSERT ON "jobs" FOR EACH ROW
  WHEN (NEW."status" = 'pending')
  EXECUTE FUNCTION notify_jobs();
