-- CreateTable
CREATE TABLE "push_steps" (
    "id" BIGSERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "step" TEXT NOT NULL,
    "changes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_steps_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "push_steps_project_id_idx" ON "push_steps"("project_id");

-- CreateIndex
CREATE INDEX "push_steps_user_id_idx" ON "push_steps"("user_id");

-- AddForeignKey
ALTER TABLE "push_steps" ADD CONSTRAINT "push_steps_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_steps" ADD CONSTRAINT "push_steps_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;
