-- CreateEnum
CREATE TYPE "notification_level" AS ENUM ('disabled', 'participating', 'watch', 'global', 'mention', 'custom');

-- CreateTable
CREATE TABLE "notification_settings" (
    "user_id" INTEGER NOT NULL,
    "level" "notification_level" NOT NULL DEFAULT 'participating',
    "events" TEXT[],
    "email_id" INTEGER,

    CONSTRAINT "notification_settings_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "notification_overrides" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "project_id" INTEGER,
    "namespace_id" INTEGER,
    "level" "notification_level" NOT NULL DEFAULT 'global',
    "events" TEXT[],

    CONSTRAINT "notification_overrides_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notification_settings_email_id_idx" ON "notification_settings"("email_id");

-- CreateIndex
CREATE INDEX "notification_overrides_project_id_idx" ON "notification_overrides"("project_id");

-- CreateIndex
CREATE INDEX "notification_overrides_namespace_id_idx" ON "notification_overrides"("namespace_id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_overrides_user_id_project_id_key" ON "notification_overrides"("user_id", "project_id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_overrides_user_id_namespace_id_key" ON "notification_overrides"("user_id", "namespace_id");

-- AddForeignKey
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_email_id_fkey" FOREIGN KEY ("email_id") REFERENCES "emails"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_overrides" ADD CONSTRAINT "notification_overrides_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_overrides" ADD CONSTRAINT "notification_overrides_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_overrides" ADD CONSTRAINT "notification_overrides_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;
