-- CreateTable
CREATE TABLE "housekeeping_dues" (
    "project_id" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "housekeeping_dues_pkey" PRIMARY KEY ("project_id")
);

-- CreateIndex
CREATE INDEX "housekeeping_dues_due_at_idx" ON "housekeeping_dues"("due_at");

-- AddForeignKey
ALTER TABLE "housekeeping_dues" ADD CONSTRAINT "housekeeping_dues_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
