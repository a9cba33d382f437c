-- Substring search: the operator class of every *_trgm index below.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- CreateEnum
CREATE TYPE "visibility" AS ENUM ('private', 'internal', 'public');

-- CreateEnum
CREATE TYPE "namespace_kind" AS ENUM ('user', 'group');

-- CreateEnum
CREATE TYPE "import_status" AS ENUM ('none', 'scheduled', 'started', 'finished', 'failed');

-- CreateEnum
CREATE TYPE "token_kind" AS ENUM ('private', 'personal', 'impersonation');

-- CreateEnum
CREATE TYPE "user_state" AS ENUM ('active', 'blocked', 'ldap_blocked');

-- CreateTable
CREATE TABLE "members" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "namespace_id" INTEGER,
    "project_id" INTEGER,
    "access_level" SMALLINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" DATE,

    CONSTRAINT "members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "namespaces" (
    "id" SERIAL NOT NULL,
    "kind" "namespace_kind" NOT NULL,
    "parent_id" INTEGER,
    "owner_id" INTEGER,
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "full_name" TEXT NOT NULL,
    "full_path" TEXT NOT NULL,
    "ancestor_ids" INTEGER[],
    "description" TEXT NOT NULL DEFAULT '',
    "visibility" "visibility" NOT NULL DEFAULT 'private',
    "is_lfs_enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_request_access_enabled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "namespaces_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "routes" (
    "key" TEXT NOT NULL,
    "namespace_id" INTEGER,
    "project_id" INTEGER,

    CONSTRAINT "routes_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "former_paths" (
    "key" TEXT NOT NULL,
    "namespace_id" INTEGER,
    "project_id" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "former_paths_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" SERIAL NOT NULL,
    "namespace_id" INTEGER NOT NULL,
    "creator_id" INTEGER,
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "full_name" TEXT NOT NULL,
    "full_path" TEXT NOT NULL,
    "description" TEXT,
    "visibility" "visibility" NOT NULL,
    "default_branch" TEXT,
    "storage" TEXT NOT NULL,
    "disk_path" TEXT NOT NULL,
    "tag_list" TEXT[],
    "is_archived" BOOLEAN NOT NULL DEFAULT false,
    "are_issues_enabled" BOOLEAN NOT NULL DEFAULT true,
    "are_merge_requests_enabled" BOOLEAN NOT NULL DEFAULT true,
    "are_jobs_enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_wiki_enabled" BOOLEAN NOT NULL DEFAULT true,
    "are_snippets_enabled" BOOLEAN NOT NULL DEFAULT false,
    "is_container_registry_enabled" BOOLEAN NOT NULL DEFAULT true,
    "are_shared_runners_enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_lfs_enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_request_access_enabled" BOOLEAN NOT NULL DEFAULT false,
    "are_public_jobs" BOOLEAN NOT NULL DEFAULT true,
    "resolves_outdated_diffs" BOOLEAN NOT NULL DEFAULT false,
    "merges_only_if_pipeline_succeeds" BOOLEAN NOT NULL DEFAULT false,
    "merges_only_if_all_resolved" BOOLEAN NOT NULL DEFAULT false,
    "prints_merge_request_link" BOOLEAN NOT NULL DEFAULT true,
    "ci_config_path" TEXT,
    "import_status" "import_status" NOT NULL DEFAULT 'none',
    "import_error" TEXT,
    "star_count" INTEGER NOT NULL DEFAULT 0,
    "forks_count" INTEGER NOT NULL DEFAULT 0,
    "open_issues_count" INTEGER NOT NULL DEFAULT 0,
    "runners_token_digest" BYTEA NOT NULL,
    "runners_token_sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_statistics" (
    "project_id" INTEGER NOT NULL,
    "commit_count" BIGINT NOT NULL DEFAULT 0,
    "repository_size" BIGINT NOT NULL DEFAULT 0,
    "lfs_objects_size" BIGINT NOT NULL DEFAULT 0,
    "job_artifacts_size" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "project_statistics_pkey" PRIMARY KEY ("project_id")
);

-- CreateTable
CREATE TABLE "protected_branches" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "push_access_level" SMALLINT NOT NULL DEFAULT 40,
    "merge_access_level" SMALLINT NOT NULL DEFAULT 40,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "protected_branches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pushes" (
    "id" BIGSERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "user_id" INTEGER,
    "changes" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pushes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "application_settings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "default_projects_limit" INTEGER NOT NULL DEFAULT 100000,
    "is_password_authentication_enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_avatar_service_enabled" BOOLEAN NOT NULL DEFAULT true,
    "default_branch_protection" SMALLINT NOT NULL DEFAULT 2,
    "restricted_visibility_levels" "visibility"[],
    "default_project_visibility" "visibility" NOT NULL DEFAULT 'private',
    "default_group_visibility" "visibility" NOT NULL DEFAULT 'private',
    "repository_storages" TEXT[] DEFAULT ARRAY['default']::TEXT[],
    "enabled_git_access_protocol" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "application_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "access_tokens" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" "token_kind" NOT NULL,
    "name" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "sealed" TEXT,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "access_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "secret_keys" (
    "id" TEXT NOT NULL,
    "check_value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "secret_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "users" (
    "id" SERIAL NOT NULL,
    "username" TEXT NOT NULL,
    "username_key" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_digest" TEXT,
    "state" "user_state" NOT NULL DEFAULT 'active',
    "is_admin" BOOLEAN NOT NULL DEFAULT false,
    "is_external" BOOLEAN NOT NULL DEFAULT false,
    "bio" TEXT,
    "location" TEXT,
    "skype" TEXT NOT NULL DEFAULT '',
    "linkedin" TEXT NOT NULL DEFAULT '',
    "twitter" TEXT NOT NULL DEFAULT '',
    "website_url" TEXT NOT NULL DEFAULT '',
    "organization" TEXT,
    "theme_id" INTEGER NOT NULL DEFAULT 1,
    "color_scheme_id" INTEGER NOT NULL DEFAULT 1,
    "projects_limit" INTEGER NOT NULL,
    "can_create_group" BOOLEAN NOT NULL DEFAULT true,
    "is_two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "current_sign_in_at" TIMESTAMPTZ(3),
    "last_sign_in_at" TIMESTAMPTZ(3),
    "last_activity_on" DATE,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "identities" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "provider" TEXT NOT NULL,
    "extern_uid" TEXT NOT NULL,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "members_user_id_idx" ON "members"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "members_namespace_id_user_id_key" ON "members"("namespace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "members_project_id_user_id_key" ON "members"("project_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "namespaces_owner_id_key" ON "namespaces"("owner_id");

-- CreateIndex
CREATE INDEX "namespaces_kind_name_id_idx" ON "namespaces"("kind", "name", "id");

-- CreateIndex
CREATE INDEX "namespaces_kind_path_id_idx" ON "namespaces"("kind", "path", "id");

-- CreateIndex
CREATE INDEX "namespaces_ancestor_ids_idx" ON "namespaces" USING GIN ("ancestor_ids");

-- CreateIndex
CREATE INDEX "namespaces_name_trgm" ON "namespaces" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "namespaces_path_trgm" ON "namespaces" USING GIN ("path" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "namespaces_parent_id_name_key" ON "namespaces"("parent_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "routes_namespace_id_key" ON "routes"("namespace_id");

-- CreateIndex
CREATE UNIQUE INDEX "routes_project_id_key" ON "routes"("project_id");

-- CreateIndex
CREATE INDEX "former_paths_namespace_id_idx" ON "former_paths"("namespace_id");

-- CreateIndex
CREATE INDEX "former_paths_project_id_idx" ON "former_paths"("project_id");

-- CreateIndex
CREATE UNIQUE INDEX "projects_disk_path_key" ON "projects"("disk_path");

-- CreateIndex
CREATE UNIQUE INDEX "projects_runners_token_digest_key" ON "projects"("runners_token_digest");

-- CreateIndex
CREATE INDEX "projects_creator_id_idx" ON "projects"("creator_id");

-- CreateIndex
CREATE INDEX "projects_created_at_id_idx" ON "projects"("created_at", "id");

-- CreateIndex
CREATE INDEX "projects_updated_at_id_idx" ON "projects"("updated_at", "id");

-- CreateIndex
CREATE INDEX "projects_last_activity_at_id_idx" ON "projects"("last_activity_at", "id");

-- CreateIndex
CREATE INDEX "projects_name_id_idx" ON "projects"("name", "id");

-- CreateIndex
CREATE INDEX "projects_path_id_idx" ON "projects"("path", "id");

-- CreateIndex
CREATE INDEX "projects_name_trgm" ON "projects" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "projects_path_trgm" ON "projects" USING GIN ("path" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "projects_description_trgm" ON "projects" USING GIN ("description" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "projects_namespace_id_name_key" ON "projects"("namespace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "protected_branches_project_id_name_key" ON "protected_branches"("project_id", "name");

-- CreateIndex
CREATE INDEX "pushes_project_id_idx" ON "pushes"("project_id");

-- CreateIndex
CREATE INDEX "pushes_user_id_idx" ON "pushes"("user_id");

-- CreateIndex
CREATE INDEX "pushes_created_at_idx" ON "pushes"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "access_tokens_digest_key" ON "access_tokens"("digest");

-- CreateIndex
CREATE INDEX "access_tokens_user_id_kind_idx" ON "access_tokens"("user_id", "kind");

-- CreateIndex
CREATE UNIQUE INDEX "users_username_key_key" ON "users"("username_key");

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key_key" ON "users"("email_key");

-- CreateIndex
CREATE INDEX "users_name_trgm" ON "users" USING GIN ("name" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "users_username_trgm" ON "users" USING GIN ("username" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "users_email_trgm" ON "users" USING GIN ("email" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "identities_user_id_idx" ON "identities"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "identities_provider_extern_uid_key" ON "identities"("provider", "extern_uid");

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "members" ADD CONSTRAINT "members_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "namespaces" ADD CONSTRAINT "namespaces_parent_id_fkey" FOREIGN KEY ("parent_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "namespaces" ADD CONSTRAINT "namespaces_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routes" ADD CONSTRAINT "routes_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "routes" ADD CONSTRAINT "routes_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "former_paths" ADD CONSTRAINT "former_paths_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "former_paths" ADD CONSTRAINT "former_paths_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_creator_id_fkey" FOREIGN KEY ("creator_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_statistics" ADD CONSTRAINT "project_statistics_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "protected_branches" ADD CONSTRAINT "protected_branches_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pushes" ADD CONSTRAINT "pushes_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pushes" ADD CONSTRAINT "pushes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on by hand: what the models cannot say.

-- A membership and a path belong to a group or to a project, never to both or neither.
ALTER TABLE "members" ADD CONSTRAINT "members_one_source" CHECK (num_nonnulls("namespace_id", "project_id") = 1);
ALTER TABLE "routes" ADD CONSTRAINT "routes_one_source" CHECK (num_nonnulls("namespace_id", "project_id") = 1);
ALTER TABLE "former_paths" ADD CONSTRAINT "former_paths_one_source" CHECK (num_nonnulls("namespace_id", "project_id") = 1);

-- Every process remembers who its callers are. The database itself tells them whom to forget, so
-- that no writer, not even one at a psql prompt, can leave a stale right behind. The argument names
-- the column that holds the user's id; one message per user and transaction is sent.
CREATE FUNCTION notify_viewers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM pg_notify('millrace_viewers', to_jsonb(OLD) ->> TG_ARGV[0]);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM pg_notify('millrace_viewers', to_jsonb(NEW) ->> TG_ARGV[0]);
  END IF;
  RETURN NULL;
END;
$$;

-- Signing in touches a user's row as well: only what a viewer is made of, or recognised by, counts.
CREATE TRIGGER "users_changed" AFTER UPDATE ON "users" FOR EACH ROW
  WHEN ((OLD."state", OLD."is_admin", OLD."is_external", OLD."can_create_group", OLD."username",
      OLD."password_digest", OLD."is_two_factor_enabled")
    IS DISTINCT FROM (NEW."state", NEW."is_admin", NEW."is_external", NEW."can_create_group", NEW."username",
      NEW."password_digest", NEW."is_two_factor_enabled"))
  EXECUTE FUNCTION notify_viewers('id');
CREATE TRIGGER "users_removed" AFTER DELETE ON "users" FOR EACH ROW
  EXECUTE FUNCTION notify_viewers('id');

CREATE TRIGGER "access_tokens_changed" AFTER UPDATE OR DELETE ON "access_tokens" FOR EACH ROW
  EXECUTE FUNCTION notify_viewers('user_id');

-- A viewer carries the levels held in groups; those in projects are looked up each time.
CREATE TRIGGER "members_added" AFTER INSERT ON "members" FOR EACH ROW
  WHEN (NEW."namespace_id" IS NOT NULL)
  EXECUTE FUNCTION notify_viewers('user_id');
CREATE TRIGGER "members_changed" AFTER UPDATE ON "members" FOR EACH ROW
  WHEN (OLD."namespace_id" IS NOT NULL OR NEW."namespace_id" IS NOT NULL)
  EXECUTE FUNCTION notify_viewers('user_id');
CREATE TRIGGER "members_removed" AFTER DELETE ON "members" FOR EACH ROW
  WHEN (OLD."namespace_id" IS NOT NULL)
  EXECUTE FUNCTION notify_viewers('user_id');

-- A viewer carries the ids of the groups below theirs, and a group that moves takes everybody in it
-- along: whenever the tree changes, all are forgotten.
CREATE FUNCTION notify_all_viewers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('millrace_viewers', '*');
  RETURN NULL;
END;
$$;

CREATE TRIGGER "namespaces_added" AFTER INSERT ON "namespaces" FOR EACH ROW
  WHEN (NEW."parent_id" IS NOT NULL)
  EXECUTE FUNCTION notify_all_viewers();
CREATE TRIGGER "namespaces_moved" AFTER UPDATE ON "namespaces" FOR EACH ROW
  WHEN (OLD."ancestor_ids" IS DISTINCT FROM NEW."ancestor_ids")
  EXECUTE FUNCTION notify_all_viewers();

-- The one row of settings is always there, so that reading it needs no "or else".
INSERT INTO "application_settings" ("id", "restricted_visibility_levels", "updated_at") VALUES (1, '{}', now());

-- Every process remembers the settings, too.
CREATE FUNCTION notify_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('millrace_settings', '');
  RETURN NULL;
END;
$$;

CREATE TRIGGER "application_settings_changed" AFTER UPDATE ON "application_settings" FOR EACH ROW
  EXECUTE FUNCTION notify_settings();
