-- CreateTable
CREATE TABLE "audit_events" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "author_id" INTEGER,
    "author_name" TEXT NOT NULL,
    "sudoer_id" INTEGER,
    "address" TEXT NOT NULL,
    "project_id" INTEGER,
    "group_id" INTEGER,
    "user_id" INTEGER,
    "details" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "audit_events_created_at_idx" ON "audit_events"("created_at");

-- CreateIndex
CREATE INDEX "audit_events_name_id_idx" ON "audit_events"("name", "id");

-- CreateIndex
CREATE INDEX "audit_events_author_id_id_idx" ON "audit_events"("author_id", "id");

-- CreateIndex
CREATE INDEX "audit_events_project_id_id_idx" ON "audit_events"("project_id", "id");

-- CreateIndex
CREATE INDEX "audit_events_group_id_id_idx" ON "audit_events"("group_id", "id");

-- CreateIndex
CREATE INDEX "audit_events_user_id_id_idx" ON "audit_events"("user_id", "id");
