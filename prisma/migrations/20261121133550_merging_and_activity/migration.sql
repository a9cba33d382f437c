-- CreateEnum
CREATE TYPE "event_action" AS ENUM ('created', 'updated', 'closed', 'reopened', 'pushed', 'commented', 'merged', 'joined', 'left', 'destroyed', 'expired');

-- CreateEnum
CREATE TYPE "event_target" AS ENUM ('issue', 'merge_request', 'milestone', 'note', 'project', 'snippet', 'user');

-- CreateEnum
CREATE TYPE "delivery_state" AS ENUM ('pending', 'delivered', 'failed');

-- CreateEnum
CREATE TYPE "merge_request_state" AS ENUM ('opened', 'closed', 'locked', 'merged');

-- CreateEnum
CREATE TYPE "merge_status" AS ENUM ('unchecked', 'can_be_merged', 'cannot_be_merged');

-- AlterTable
ALTER TABLE "application_settings" ADD COLUMN     "after_sign_out_path" TEXT,
ADD COLUMN     "are_diagrams_enabled" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "are_user_oauth_applications_enabled" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "circuitbreaker_access_retries" INTEGER NOT NULL DEFAULT 3,
ADD COLUMN     "circuitbreaker_backoff_threshold" INTEGER NOT NULL DEFAULT 80,
ADD COLUMN     "circuitbreaker_failure_count_threshold" INTEGER NOT NULL DEFAULT 160,
ADD COLUMN     "circuitbreaker_failure_reset_time" INTEGER NOT NULL DEFAULT 1800,
ADD COLUMN     "circuitbreaker_failure_wait_time" INTEGER NOT NULL DEFAULT 30,
ADD COLUMN     "circuitbreaker_storage_timeout" INTEGER NOT NULL DEFAULT 30,
ADD COLUMN     "cloud_ide_url" TEXT,
ADD COLUMN     "container_registry_token_expire_delay" INTEGER NOT NULL DEFAULT 5,
ADD COLUMN     "default_snippet_visibility" "visibility" NOT NULL DEFAULT 'private',
ADD COLUMN     "diagrams_url" TEXT,
ADD COLUMN     "disabled_oauth_sign_in_sources" TEXT[],
ADD COLUMN     "domain_blacklist" TEXT[],
ADD COLUMN     "domain_whitelist" TEXT[],
ADD COLUMN     "dsa_key_restriction" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "ecdsa_key_restriction" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "ed25519_key_restriction" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "home_page_url" TEXT,
ADD COLUMN     "is_cloud_ide_enabled" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "is_domain_blacklist_enabled" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "is_signup_enabled" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "polling_interval_multiplier" DOUBLE PRECISION NOT NULL DEFAULT 1,
ADD COLUMN     "rsa_key_restriction" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "session_expire_delay" INTEGER NOT NULL DEFAULT 10080,
ADD COLUMN     "sign_in_text" TEXT,
ADD COLUMN     "terminal_max_session_time" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "award_emojis" ADD COLUMN     "merge_request_id" INTEGER,
ADD COLUMN     "snippet_id" INTEGER;

-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "merge_request_id" INTEGER,
ADD COLUMN     "snippet_id" INTEGER;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "last_merge_request_iid" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "events" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER,
    "author_id" INTEGER NOT NULL,
    "action" "event_action" NOT NULL,
    "target" "event_target",
    "target_id" INTEGER,
    "target_iid" INTEGER,
    "target_title" TEXT,
    "note_id" INTEGER,
    "is_confidential" BOOLEAN NOT NULL DEFAULT false,
    "push" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "web_hooks" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER,
    "url" TEXT NOT NULL,
    "token_sealed" TEXT,
    "verifies_ssl" BOOLEAN NOT NULL DEFAULT true,
    "on_push" BOOLEAN NOT NULL DEFAULT true,
    "on_tag_push" BOOLEAN NOT NULL DEFAULT false,
    "on_issue" BOOLEAN NOT NULL DEFAULT false,
    "on_confidential_issue" BOOLEAN NOT NULL DEFAULT false,
    "on_merge_request" BOOLEAN NOT NULL DEFAULT false,
    "on_note" BOOLEAN NOT NULL DEFAULT false,
    "on_pipeline" BOOLEAN NOT NULL DEFAULT false,
    "on_job" BOOLEAN NOT NULL DEFAULT false,
    "on_wiki_page" BOOLEAN NOT NULL DEFAULT false,
    "on_repository_update" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "web_hooks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "hook_deliveries" (
    "id" SERIAL NOT NULL,
    "hook_id" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "state" "delivery_state" NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "response_status" INTEGER,
    "response_body" TEXT,
    "error" TEXT,
    "duration" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempted_at" TIMESTAMPTZ(3),

    CONSTRAINT "hook_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "namespace_custom_attributes" (
    "id" SERIAL NOT NULL,
    "namespace_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "namespace_custom_attributes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_custom_attributes" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "project_custom_attributes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "keys" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER,
    "title" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deploy_key_projects" (
    "key_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "can_push" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deploy_key_projects_pkey" PRIMARY KEY ("project_id","key_id")
);

-- CreateTable
CREATE TABLE "merge_requests" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "iid" INTEGER NOT NULL,
    "source_project_id" INTEGER,
    "source_branch" TEXT NOT NULL,
    "target_branch" TEXT NOT NULL,
    "author_id" INTEGER,
    "assignee_id" INTEGER,
    "milestone_id" INTEGER,
    "state" "merge_request_state" NOT NULL DEFAULT 'opened',
    "merge_status" "merge_status" NOT NULL DEFAULT 'unchecked',
    "sha" TEXT,
    "checked_against" TEXT,
    "base_sha" TEXT,
    "merge_commit_sha" TEXT,
    "is_discussion_locked" BOOLEAN,
    "merges_when_pipeline_succeeds" BOOLEAN NOT NULL DEFAULT false,
    "removes_source_branch" BOOLEAN NOT NULL DEFAULT false,
    "user_notes_count" INTEGER NOT NULL DEFAULT 0,
    "upvotes" INTEGER NOT NULL DEFAULT 0,
    "downvotes" INTEGER NOT NULL DEFAULT 0,
    "time_estimate" INTEGER NOT NULL DEFAULT 0,
    "total_time_spent" INTEGER NOT NULL DEFAULT 0,
    "merged_by_id" INTEGER,
    "merged_at" TIMESTAMPTZ(3),
    "closed_by_id" INTEGER,
    "closed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "merge_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merge_request_texts" (
    "merge_request_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,

    CONSTRAINT "merge_request_texts_pkey" PRIMARY KEY ("merge_request_id")
);

-- CreateTable
CREATE TABLE "merge_request_labels" (
    "merge_request_id" INTEGER NOT NULL,
    "label_id" INTEGER NOT NULL,

    CONSTRAINT "merge_request_labels_pkey" PRIMARY KEY ("merge_request_id","label_id")
);

-- CreateTable
CREATE TABLE "merge_request_subscriptions" (
    "merge_request_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "is_subscribed" BOOLEAN NOT NULL,

    CONSTRAINT "merge_request_subscriptions_pkey" PRIMARY KEY ("merge_request_id","user_id")
);

-- CreateTable
CREATE TABLE "snippets" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER,
    "author_id" INTEGER,
    "title" TEXT NOT NULL,
    "file_name" TEXT NOT NULL,
    "description" TEXT,
    "content" TEXT NOT NULL,
    "visibility" "visibility" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "snippets_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "events_project_id_id_idx" ON "events"("project_id", "id");

-- CreateIndex
CREATE INDEX "events_author_id_id_idx" ON "events"("author_id", "id");

-- CreateIndex
CREATE INDEX "events_project_id_created_at_id_idx" ON "events"("project_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "events_author_id_created_at_id_idx" ON "events"("author_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "web_hooks_project_id_id_idx" ON "web_hooks"("project_id", "id");

-- CreateIndex
CREATE INDEX "hook_deliveries_hook_id_id_idx" ON "hook_deliveries"("hook_id", "id");

-- CreateIndex
CREATE INDEX "hook_deliveries_created_at_idx" ON "hook_deliveries"("created_at");

-- CreateIndex
CREATE INDEX "namespace_custom_attributes_key_value_idx" ON "namespace_custom_attributes"("key", "value");

-- CreateIndex
CREATE UNIQUE INDEX "namespace_custom_attributes_namespace_id_key_key" ON "namespace_custom_attributes"("namespace_id", "key");

-- CreateIndex
CREATE INDEX "project_custom_attributes_key_value_idx" ON "project_custom_attributes"("key", "value");

-- CreateIndex
CREATE UNIQUE INDEX "project_custom_attributes_project_id_key_key" ON "project_custom_attributes"("project_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "keys_fingerprint_key" ON "keys"("fingerprint");

-- CreateIndex
CREATE INDEX "keys_user_id_id_idx" ON "keys"("user_id", "id");

-- CreateIndex
CREATE INDEX "deploy_key_projects_key_id_idx" ON "deploy_key_projects"("key_id");

-- CreateIndex
CREATE INDEX "merge_requests_by_created_at" ON "merge_requests"("project_id", "created_at", "id", "state", "author_id");

-- CreateIndex
CREATE INDEX "merge_requests_by_updated_at" ON "merge_requests"("project_id", "updated_at", "id", "state", "author_id");

-- CreateIndex
CREATE INDEX "merge_requests_by_state_created_at" ON "merge_requests"("project_id", "state", "created_at", "id", "author_id");

-- CreateIndex
CREATE INDEX "merge_requests_by_state_updated_at" ON "merge_requests"("project_id", "state", "updated_at", "id", "author_id");

-- CreateIndex
CREATE INDEX "merge_requests_project_id_target_branch_state_idx" ON "merge_requests"("project_id", "target_branch", "state");

-- CreateIndex
CREATE INDEX "merge_requests_source_project_id_source_branch_state_idx" ON "merge_requests"("source_project_id", "source_branch", "state");

-- CreateIndex
CREATE INDEX "merge_requests_author_id_created_at_id_idx" ON "merge_requests"("author_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_author_id_updated_at_id_idx" ON "merge_requests"("author_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_assignee_id_id_idx" ON "merge_requests"("assignee_id", "id");

-- CreateIndex
CREATE INDEX "merge_requests_created_at_id_idx" ON "merge_requests"("created_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_updated_at_id_idx" ON "merge_requests"("updated_at", "id");

-- CreateIndex
CREATE INDEX "merge_requests_milestone_id_id_idx" ON "merge_requests"("milestone_id", "id");

-- CreateIndex
CREATE INDEX "merge_requests_merged_by_id_idx" ON "merge_requests"("merged_by_id");

-- CreateIndex
CREATE INDEX "merge_requests_closed_by_id_idx" ON "merge_requests"("closed_by_id");

-- CreateIndex
CREATE UNIQUE INDEX "merge_requests_project_id_iid_key" ON "merge_requests"("project_id", "iid");

-- CreateIndex
CREATE INDEX "merge_request_texts_title_trgm" ON "merge_request_texts" USING GIN ("title" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "merge_request_texts_description_trgm" ON "merge_request_texts" USING GIN ("description" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "merge_request_labels_label_id_merge_request_id_idx" ON "merge_request_labels"("label_id", "merge_request_id");

-- CreateIndex
CREATE INDEX "merge_request_subscriptions_user_id_idx" ON "merge_request_subscriptions"("user_id");

-- CreateIndex
CREATE INDEX "snippets_project_id_created_at_id_visibility_author_id_idx" ON "snippets"("project_id", "created_at", "id", "visibility", "author_id");

-- CreateIndex
CREATE INDEX "snippets_author_id_created_at_id_idx" ON "snippets"("author_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "snippets_visibility_created_at_id_idx" ON "snippets"("visibility", "created_at", "id");

-- CreateIndex
CREATE INDEX "award_emojis_merge_request_id_id_idx" ON "award_emojis"("merge_request_id", "id");

-- CreateIndex
CREATE INDEX "award_emojis_snippet_id_id_idx" ON "award_emojis"("snippet_id", "id");

-- CreateIndex
CREATE INDEX "award_emojis_user_id_name_merge_request_id_idx" ON "award_emojis"("user_id", "name", "merge_request_id");

-- CreateIndex
CREATE UNIQUE INDEX "award_emojis_merge_request_id_user_id_name_key" ON "award_emojis"("merge_request_id", "user_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "award_emojis_snippet_id_user_id_name_key" ON "award_emojis"("snippet_id", "user_id", "name");

-- CreateIndex
CREATE INDEX "notes_merge_request_id_created_at_id_idx" ON "notes"("merge_request_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "notes_merge_request_id_updated_at_id_idx" ON "notes"("merge_request_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "notes_snippet_id_created_at_id_idx" ON "notes"("snippet_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "notes_snippet_id_updated_at_id_idx" ON "notes"("snippet_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "notes_author_id_merge_request_id_idx" ON "notes"("author_id", "merge_request_id");

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "web_hooks" ADD CONSTRAINT "web_hooks_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "hook_deliveries" ADD CONSTRAINT "hook_deliveries_hook_id_fkey" FOREIGN KEY ("hook_id") REFERENCES "web_hooks"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "namespace_custom_attributes" ADD CONSTRAINT "namespace_custom_attributes_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_custom_attributes" ADD CONSTRAINT "project_custom_attributes_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "keys" ADD CONSTRAINT "keys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deploy_key_projects" ADD CONSTRAINT "deploy_key_projects_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "deploy_key_projects" ADD CONSTRAINT "deploy_key_projects_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_source_project_id_fkey" FOREIGN KEY ("source_project_id") REFERENCES "projects"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_assignee_id_fkey" FOREIGN KEY ("assignee_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_merged_by_id_fkey" FOREIGN KEY ("merged_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_closed_by_id_fkey" FOREIGN KEY ("closed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_requests" ADD CONSTRAINT "merge_requests_milestone_id_fkey" FOREIGN KEY ("milestone_id") REFERENCES "milestones"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_request_texts" ADD CONSTRAINT "merge_request_texts_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_request_labels" ADD CONSTRAINT "merge_request_labels_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_request_labels" ADD CONSTRAINT "merge_request_labels_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_request_subscriptions" ADD CONSTRAINT "merge_request_subscriptions_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "merge_request_subscriptions" ADD CONSTRAINT "merge_request_subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_snippet_id_fkey" FOREIGN KEY ("snippet_id") REFERENCES "snippets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "award_emojis" ADD CONSTRAINT "award_emojis_merge_request_id_fkey" FOREIGN KEY ("merge_request_id") REFERENCES "merge_requests"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "award_emojis" ADD CONSTRAINT "award_emojis_snippet_id_fkey" FOREIGN KEY ("snippet_id") REFERENCES "snippets"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snippets" ADD CONSTRAINT "snippets_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "snippets" ADD CONSTRAINT "snippets_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "award_emojis" DROP CONSTRAINT "award_emojis_one_thing";
ALTER TABLE "award_emojis" ADD CONSTRAINT "award_emojis_one_thing" CHECK (num_nonnulls("issue_id", "merge_request_id", "snippet_id", "note_id") = 1);
ALTER TABLE "notes" ADD CONSTRAINT "notes_one_thing" CHECK (num_nonnulls("issue_id", "merge_request_id", "snippet_id") = 1);

-- Two branches have one open merge request.
CREATE UNIQUE INDEX "merge_requests_open" ON "merge_requests"("project_id", "source_project_id", "source_branch", "target_branch") WHERE "state" IN ('opened', 'locked');
