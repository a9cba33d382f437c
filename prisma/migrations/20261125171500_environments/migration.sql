-- CreateEnum
CREATE TYPE "environment_state" AS ENUM ('available', 'stopped');

-- CreateTable
CREATE TABLE "environments" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "external_url" TEXT,
    "state" "environment_state" NOT NULL DEFAULT 'available',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "environments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job_environments" (
    "job_id" INTEGER NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "url" TEXT,

    CONSTRAINT "job_environments_pkey" PRIMARY KEY ("job_id")
);

-- CreateTable
CREATE TABLE "deployments" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "iid" INTEGER NOT NULL,
    "environment_id" INTEGER NOT NULL,
    "ref" TEXT NOT NULL,
    "is_tag" BOOLEAN NOT NULL,
    "sha" TEXT NOT NULL,
    "user_id" INTEGER,
    "job_id" INTEGER,
    "on_stop" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deployments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "environments_project_id_id_idx" ON "environments"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "environments_project_id_name_key" ON "environments"("project_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "environments_project_id_slug_key" ON "environments"("project_id", "slug");

-- CreateIndex
CREATE INDEX "job_environments_environment_id_idx" ON "job_environments"("environment_id");

-- CreateIndex
CREATE INDEX "deployments_project_id_id_idx" ON "deployments"("project_id", "id");

-- CreateIndex
CREATE INDEX "deployments_project_id_created_at_id_idx" ON "deployments"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "deployments_project_id_ref_id_idx" ON "deployments"("project_id", "ref", "id");

-- CreateIndex
CREATE INDEX "deployments_environment_id_id_idx" ON "deployments"("environment_id", "id");

-- CreateIndex
CREATE INDEX "deployments_user_id_idx" ON "deployments"("user_id");

-- CreateIndex
CREATE INDEX "deployments_job_id_idx" ON "deployments"("job_id");

-- CreateIndex
CREATE UNIQUE INDEX "deployments_project_id_iid_key" ON "deployments"("project_id", "iid");

-- AddForeignKey
ALTER TABLE "environments" ADD CONSTRAINT "environments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_environments" ADD CONSTRAINT "job_environments_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job_environments" ADD CONSTRAINT "job_environments_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_environment_id_fkey" FOREIGN KEY ("environment_id") REFERENCES "environments"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE SET NULL ON UPDATE CASCADE;
