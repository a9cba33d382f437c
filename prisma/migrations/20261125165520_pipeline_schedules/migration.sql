-- CreateTable
CREATE TABLE "pipeline_schedules" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "owner_id" INTEGER,
    "description" TEXT NOT NULL,
    "ref" TEXT NOT NULL,
    "cron" TEXT NOT NULL,
    "cron_timezone" TEXT NOT NULL DEFAULT 'UTC',
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "next_run_at" TIMESTAMPTZ(3) NOT NULL,
    "last_run_at" TIMESTAMPTZ(3),
    "last_error" TEXT,
    "last_pipeline_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pipeline_schedules_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pipeline_schedule_variables" (
    "id" SERIAL NOT NULL,
    "schedule_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "value_sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pipeline_schedule_variables_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "pipeline_schedules_project_id_id_idx" ON "pipeline_schedules"("project_id", "id");

-- CreateIndex
CREATE INDEX "pipeline_schedules_is_active_next_run_at_idx" ON "pipeline_schedules"("is_active", "next_run_at");

-- CreateIndex
CREATE INDEX "pipeline_schedules_owner_id_idx" ON "pipeline_schedules"("owner_id");

-- CreateIndex
CREATE INDEX "pipeline_schedules_last_pipeline_id_idx" ON "pipeline_schedules"("last_pipeline_id");

-- CreateIndex
CREATE UNIQUE INDEX "pipeline_schedule_variables_schedule_id_key_key" ON "pipeline_schedule_variables"("schedule_id", "key");

-- AddForeignKey
ALTER TABLE "pipeline_schedules" ADD CONSTRAINT "pipeline_schedules_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipeline_schedules" ADD CONSTRAINT "pipeline_schedules_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipeline_schedules" ADD CONSTRAINT "pipeline_schedules_last_pipeline_id_fkey" FOREIGN KEY ("last_pipeline_id") REFERENCES "pipelines"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pipeline_schedule_variables" ADD CONSTRAINT "pipeline_schedule_variables_schedule_id_fkey" FOREIGN KEY ("schedule_id") REFERENCES "pipeline_schedules"("id") ON DELETE CASCADE ON UPDATE CASCADE;
