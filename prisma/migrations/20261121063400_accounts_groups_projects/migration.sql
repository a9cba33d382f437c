-- DropIndex
DROP INDEX "access_tokens_user_id_kind_idx";

-- DropIndex
DROP INDEX "projects_created_at_id_idx";

-- DropIndex
DROP INDEX "projects_last_activity_at_id_idx";

-- DropIndex
DROP INDEX "projects_name_id_idx";

-- DropIndex
DROP INDEX "projects_path_id_idx";

-- DropIndex
DROP INDEX "projects_updated_at_id_idx";

-- AlterTable
ALTER TABLE "application_settings" ADD COLUMN     "max_attachment_size" INTEGER NOT NULL DEFAULT 10;

-- AlterTable
ALTER TABLE "namespaces" ADD COLUMN     "avatar" TEXT,
ADD COLUMN     "is_removed" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "avatar" TEXT,
ADD COLUMN     "is_removed" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "namespace_name" TEXT;

-- By hand: what is there already learns its namespace's name before none may be missing.
UPDATE "projects" SET "namespace_name" = "namespaces"."name" FROM "namespaces" WHERE "namespaces"."id" = "namespace_id";
ALTER TABLE "projects" ALTER COLUMN "namespace_name" SET NOT NULL;

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "avatar" TEXT;

-- CreateTable
CREATE TABLE "project_group_links" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "namespace_id" INTEGER NOT NULL,
    "access_level" SMALLINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" DATE,

    CONSTRAINT "project_group_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_stars" (
    "user_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_stars_pkey" PRIMARY KEY ("user_id","project_id")
);

-- CreateTable
CREATE TABLE "uploads" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "secret" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "uploads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sign_in_attempts" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "sign_in_attempts_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "emails" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "emails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_custom_attributes" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "user_custom_attributes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "project_group_links_namespace_id_idx" ON "project_group_links"("namespace_id");

-- CreateIndex
CREATE UNIQUE INDEX "project_group_links_project_id_namespace_id_key" ON "project_group_links"("project_id", "namespace_id");

-- CreateIndex
CREATE INDEX "project_stars_project_id_idx" ON "project_stars"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "uploads_secret_key" ON "uploads"("secret");

-- CreateIndex
CREATE INDEX "uploads_project_id_idx" ON "uploads"("project_id");

-- CreateIndex
CREATE INDEX "uploads_user_id_idx" ON "uploads"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "emails_email_key_key" ON "emails"("email_key");

-- CreateIndex
CREATE INDEX "emails_user_id_id_idx" ON "emails"("user_id", "id");

-- CreateIndex
CREATE INDEX "user_custom_attributes_key_value_idx" ON "user_custom_attributes"("key", "value");

-- CreateIndex
CREATE UNIQUE INDEX "user_custom_attributes_user_id_key_key" ON "user_custom_attributes"("user_id", "key");

-- CreateIndex
CREATE INDEX "access_tokens_user_id_kind_id_idx" ON "access_tokens"("user_id", "kind", "id");

-- CreateIndex
CREATE INDEX "namespaces_kind_is_removed_visibility_id_idx" ON "namespaces"("kind", "is_removed", "visibility", "id");

-- CreateIndex
CREATE INDEX "projects_by_id" ON "projects"("id", "is_removed", "is_archived", "visibility", "namespace_id", "are_issues_enabled", "are_merge_requests_enabled");

-- CreateIndex
CREATE INDEX "projects_by_created_at" ON "projects"("created_at", "id", "is_removed", "is_archived", "visibility", "namespace_id", "are_issues_enabled", "are_merge_requests_enabled");

-- CreateIndex
CREATE INDEX "projects_by_updated_at" ON "projects"("updated_at", "id", "is_removed", "is_archived", "visibility", "namespace_id", "are_issues_enabled", "are_merge_requests_enabled");

-- CreateIndex
CREATE INDEX "projects_by_last_activity_at" ON "projects"("last_activity_at", "id", "is_removed", "is_archived", "visibility", "namespace_id", "are_issues_enabled", "are_merge_requests_enabled");

-- CreateIndex
CREATE INDEX "projects_by_name" ON "projects"("name", "id", "is_removed", "is_archived", "visibility", "namespace_id", "are_issues_enabled", "are_merge_requests_enabled");

-- CreateIndex
CREATE INDEX "projects_by_path" ON "projects"("path", "id", "is_removed", "is_archived", "visibility", "namespace_id", "are_issues_enabled", "are_merge_requests_enabled");

-- CreateIndex
CREATE INDEX "projects_counted" ON "projects"("is_removed", "is_archived", "visibility", "namespace_id", "id", "are_issues_enabled", "are_merge_requests_enabled");

-- CreateIndex
CREATE INDEX "projects_namespace_name_trgm" ON "projects" USING GIN ("namespace_name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "users_last_activity_on_id_idx" ON "users"("last_activity_on", "id");

-- CreateIndex
CREATE INDEX "users_created_at_id_idx" ON "users"("created_at", "id");

-- CreateIndex
CREATE INDEX "users_state_id_idx" ON "users"("state", "id");

-- CreateIndex
CREATE INDEX "users_is_external_id_idx" ON "users"("is_external", "id");

-- AddForeignKey
ALTER TABLE "project_group_links" ADD CONSTRAINT "project_group_links_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_group_links" ADD CONSTRAINT "project_group_links_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_stars" ADD CONSTRAINT "project_stars_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_stars" ADD CONSTRAINT "project_stars_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_custom_attributes" ADD CONSTRAINT "user_custom_attributes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on by hand.

-- A viewer now carries the projects they are a member of, too: every membership counts.
DROP TRIGGER "members_added" ON "members";
DROP TRIGGER "members_changed" ON "members";
DROP TRIGGER "members_removed" ON "members";
CREATE TRIGGER "members_changed" AFTER INSERT OR UPDATE OR DELETE ON "members" FOR EACH ROW
  EXECUTE FUNCTION notify_viewers('user_id');

-- And the projects shared with their groups: a share concerns everybody in the group and below it.
CREATE TRIGGER "project_group_links_changed" AFTER INSERT OR UPDATE OR DELETE ON "project_group_links" FOR EACH ROW
  EXECUTE FUNCTION notify_all_viewers();

-- A removed group is nobody's any more.
DROP TRIGGER "namespaces_moved" ON "namespaces";
CREATE TRIGGER "namespaces_moved" AFTER UPDATE ON "namespaces" FOR EACH ROW
  WHEN ((OLD."ancestor_ids", OLD."is_removed") IS DISTINCT FROM (NEW."ancestor_ids", NEW."is_removed"))
  EXECUTE FUNCTION notify_all_viewers();

-- A password is shown with a name or an e-mail: a new address ends what was remembered of the old one.
DROP TRIGGER "users_changed" ON "users";
CREATE TRIGGER "users_changed" AFTER UPDATE ON "users" FOR EACH ROW
  WHEN ((OLD."state", OLD."is_admin", OLD."is_external", OLD."can_create_group", OLD."username",
      OLD."email_key", OLD."password_digest", OLD."is_two_factor_enabled")
    IS DISTINCT FROM (NEW."state", NEW."is_admin", NEW."is_external", NEW."can_create_group", NEW."username",
      NEW."email_key", NEW."password_digest", NEW."is_two_factor_enabled"))
  EXECUTE FUNCTION notify_viewers('id');

-- A group is known to whoever is a member of a project in it: when a project goes, all are forgotten.
CREATE TRIGGER "projects_moved" AFTER UPDATE ON "projects" FOR EACH ROW
  WHEN ((OLD."namespace_id", OLD."is_removed") IS DISTINCT FROM (NEW."namespace_id", NEW."is_removed"))
  EXECUTE FUNCTION notify_all_viewers();
