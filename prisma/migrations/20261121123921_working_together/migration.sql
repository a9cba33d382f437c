-- CreateEnum
CREATE TYPE "issue_state" AS ENUM ('opened', 'closed');

-- CreateEnum
CREATE TYPE "milestone_state" AS ENUM ('active', 'closed');

-- AlterTable
ALTER TABLE "namespaces" ADD COLUMN     "last_milestone_iid" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "projects" ADD COLUMN     "last_issue_iid" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "last_milestone_iid" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "issues" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "iid" INTEGER NOT NULL,
    "author_id" INTEGER,
    "milestone_id" INTEGER,
    "state" "issue_state" NOT NULL DEFAULT 'opened',
    "is_confidential" BOOLEAN NOT NULL DEFAULT false,
    "is_discussion_locked" BOOLEAN,
    "due_date" DATE,
    "user_notes_count" INTEGER NOT NULL DEFAULT 0,
    "upvotes" INTEGER NOT NULL DEFAULT 0,
    "downvotes" INTEGER NOT NULL DEFAULT 0,
    "time_estimate" INTEGER NOT NULL DEFAULT 0,
    "total_time_spent" INTEGER NOT NULL DEFAULT 0,
    "moved_to_id" INTEGER,
    "closed_by_id" INTEGER,
    "closed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "issues_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "issue_texts" (
    "issue_id" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,

    CONSTRAINT "issue_texts_pkey" PRIMARY KEY ("issue_id")
);

-- CreateTable
CREATE TABLE "issue_assignees" (
    "issue_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "issue_assignees_pkey" PRIMARY KEY ("issue_id","user_id")
);

-- CreateTable
CREATE TABLE "issue_labels" (
    "issue_id" INTEGER NOT NULL,
    "label_id" INTEGER NOT NULL,

    CONSTRAINT "issue_labels_pkey" PRIMARY KEY ("issue_id","label_id")
);

-- CreateTable
CREATE TABLE "issue_subscriptions" (
    "issue_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "is_subscribed" BOOLEAN NOT NULL,

    CONSTRAINT "issue_subscriptions_pkey" PRIMARY KEY ("issue_id","user_id")
);

-- CreateTable
CREATE TABLE "access_requests" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "namespace_id" INTEGER,
    "project_id" INTEGER,
    "requested_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "access_requests_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notes" (
    "id" SERIAL NOT NULL,
    "issue_id" INTEGER,
    "author_id" INTEGER,
    "body" TEXT NOT NULL,
    "is_system" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "award_emojis" (
    "id" SERIAL NOT NULL,
    "issue_id" INTEGER,
    "note_id" INTEGER,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "award_emojis_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "labels" (
    "id" SERIAL NOT NULL,
    "namespace_id" INTEGER,
    "project_id" INTEGER,
    "name" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "description" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "labels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "label_priorities" (
    "label_id" INTEGER NOT NULL,
    "project_id" INTEGER NOT NULL,
    "priority" INTEGER NOT NULL,

    CONSTRAINT "label_priorities_pkey" PRIMARY KEY ("label_id","project_id")
);

-- CreateTable
CREATE TABLE "label_subscriptions" (
    "label_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "label_subscriptions_pkey" PRIMARY KEY ("label_id","user_id")
);

-- CreateTable
CREATE TABLE "milestones" (
    "id" SERIAL NOT NULL,
    "namespace_id" INTEGER,
    "project_id" INTEGER,
    "iid" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "state" "milestone_state" NOT NULL DEFAULT 'active',
    "start_date" DATE,
    "due_date" DATE,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "milestones_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "boards" (
    "id" SERIAL NOT NULL,
    "project_id" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "boards_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "board_lists" (
    "id" SERIAL NOT NULL,
    "board_id" INTEGER NOT NULL,
    "label_id" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "removed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "board_lists_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "variables" (
    "id" SERIAL NOT NULL,
    "namespace_id" INTEGER,
    "project_id" INTEGER,
    "key" TEXT NOT NULL,
    "value_sealed" TEXT NOT NULL,
    "is_protected" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "variables_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "issues_by_created_at" ON "issues"("project_id", "created_at", "id", "state", "is_confidential", "author_id");

-- CreateIndex
CREATE INDEX "issues_by_updated_at" ON "issues"("project_id", "updated_at", "id", "state", "is_confidential", "author_id");

-- CreateIndex
CREATE INDEX "issues_by_state_created_at" ON "issues"("project_id", "state", "created_at", "id", "is_confidential", "author_id");

-- CreateIndex
CREATE INDEX "issues_by_state_updated_at" ON "issues"("project_id", "state", "updated_at", "id", "is_confidential", "author_id");

-- CreateIndex
CREATE INDEX "issues_author_id_created_at_id_idx" ON "issues"("author_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "issues_author_id_updated_at_id_idx" ON "issues"("author_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "issues_created_at_id_idx" ON "issues"("created_at", "id");

-- CreateIndex
CREATE INDEX "issues_updated_at_id_idx" ON "issues"("updated_at", "id");

-- CreateIndex
CREATE INDEX "issues_milestone_id_id_idx" ON "issues"("milestone_id", "id");

-- CreateIndex
CREATE INDEX "issues_closed_by_id_idx" ON "issues"("closed_by_id");

-- CreateIndex
CREATE INDEX "issues_moved_to_id_idx" ON "issues"("moved_to_id");

-- CreateIndex
CREATE UNIQUE INDEX "issues_project_id_iid_key" ON "issues"("project_id", "iid");

-- CreateIndex
CREATE INDEX "issue_texts_title_trgm" ON "issue_texts" USING GIN ("title" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "issue_texts_description_trgm" ON "issue_texts" USING GIN ("description" gin_trgm_ops);

-- CreateIndex
CREATE INDEX "issue_assignees_user_id_issue_id_idx" ON "issue_assignees"("user_id", "issue_id");

-- CreateIndex
CREATE INDEX "issue_labels_label_id_issue_id_idx" ON "issue_labels"("label_id", "issue_id");

-- CreateIndex
CREATE INDEX "issue_subscriptions_user_id_idx" ON "issue_subscriptions"("user_id");

-- CreateIndex
CREATE INDEX "access_requests_namespace_id_id_idx" ON "access_requests"("namespace_id", "id");

-- CreateIndex
CREATE INDEX "access_requests_project_id_id_idx" ON "access_requests"("project_id", "id");

-- CreateIndex
CREATE INDEX "access_requests_user_id_idx" ON "access_requests"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "access_requests_namespace_id_user_id_key" ON "access_requests"("namespace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "access_requests_project_id_user_id_key" ON "access_requests"("project_id", "user_id");

-- CreateIndex
CREATE INDEX "notes_issue_id_created_at_id_idx" ON "notes"("issue_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "notes_issue_id_updated_at_id_idx" ON "notes"("issue_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "notes_author_id_issue_id_idx" ON "notes"("author_id", "issue_id");

-- CreateIndex
CREATE INDEX "award_emojis_issue_id_id_idx" ON "award_emojis"("issue_id", "id");

-- CreateIndex
CREATE INDEX "award_emojis_note_id_id_idx" ON "award_emojis"("note_id", "id");

-- CreateIndex
CREATE INDEX "award_emojis_user_id_name_issue_id_idx" ON "award_emojis"("user_id", "name", "issue_id");

-- CreateIndex
CREATE UNIQUE INDEX "award_emojis_issue_id_user_id_name_key" ON "award_emojis"("issue_id", "user_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "award_emojis_note_id_user_id_name_key" ON "award_emojis"("note_id", "user_id", "name");

-- CreateIndex
CREATE INDEX "labels_name_id_idx" ON "labels"("name", "id");

-- CreateIndex
CREATE UNIQUE INDEX "labels_namespace_id_name_key" ON "labels"("namespace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "labels_project_id_name_key" ON "labels"("project_id", "name");

-- CreateIndex
CREATE INDEX "label_priorities_project_id_idx" ON "label_priorities"("project_id");

-- CreateIndex
CREATE INDEX "label_subscriptions_user_id_idx" ON "label_subscriptions"("user_id");

-- CreateIndex
CREATE INDEX "milestones_namespace_id_id_idx" ON "milestones"("namespace_id", "id");

-- CreateIndex
CREATE INDEX "milestones_project_id_id_idx" ON "milestones"("project_id", "id");

-- CreateIndex
CREATE INDEX "milestones_title_id_idx" ON "milestones"("title", "id");

-- CreateIndex
CREATE UNIQUE INDEX "milestones_namespace_id_iid_key" ON "milestones"("namespace_id", "iid");

-- CreateIndex
CREATE UNIQUE INDEX "milestones_project_id_iid_key" ON "milestones"("project_id", "iid");

-- CreateIndex
CREATE UNIQUE INDEX "milestones_namespace_id_title_key" ON "milestones"("namespace_id", "title");

-- CreateIndex
CREATE UNIQUE INDEX "milestones_project_id_title_key" ON "milestones"("project_id", "title");

-- CreateIndex
CREATE UNIQUE INDEX "boards_project_id_key" ON "boards"("project_id");

-- CreateIndex
CREATE INDEX "board_lists_board_id_idx" ON "board_lists"("board_id");

-- CreateIndex
CREATE INDEX "board_lists_label_id_idx" ON "board_lists"("label_id");

-- CreateIndex
CREATE INDEX "variables_namespace_id_id_idx" ON "variables"("namespace_id", "id");

-- CreateIndex
CREATE INDEX "variables_project_id_id_idx" ON "variables"("project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "variables_namespace_id_key_key" ON "variables"("namespace_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "variables_project_id_key_key" ON "variables"("project_id", "key");

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_closed_by_id_fkey" FOREIGN KEY ("closed_by_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_milestone_id_fkey" FOREIGN KEY ("milestone_id") REFERENCES "milestones"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issues" ADD CONSTRAINT "issues_moved_to_id_fkey" FOREIGN KEY ("moved_to_id") REFERENCES "issues"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue_texts" ADD CONSTRAINT "issue_texts_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue_assignees" ADD CONSTRAINT "issue_assignees_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue_assignees" ADD CONSTRAINT "issue_assignees_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue_labels" ADD CONSTRAINT "issue_labels_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue_labels" ADD CONSTRAINT "issue_labels_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue_subscriptions" ADD CONSTRAINT "issue_subscriptions_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "issue_subscriptions" ADD CONSTRAINT "issue_subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_author_id_fkey" FOREIGN KEY ("author_id") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "award_emojis" ADD CONSTRAINT "award_emojis_issue_id_fkey" FOREIGN KEY ("issue_id") REFERENCES "issues"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "award_emojis" ADD CONSTRAINT "award_emojis_note_id_fkey" FOREIGN KEY ("note_id") REFERENCES "notes"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "award_emojis" ADD CONSTRAINT "award_emojis_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "labels" ADD CONSTRAINT "labels_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "labels" ADD CONSTRAINT "labels_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "label_priorities" ADD CONSTRAINT "label_priorities_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "label_priorities" ADD CONSTRAINT "label_priorities_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "label_subscriptions" ADD CONSTRAINT "label_subscriptions_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "label_subscriptions" ADD CONSTRAINT "label_subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "milestones" ADD CONSTRAINT "milestones_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "milestones" ADD CONSTRAINT "milestones_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "boards" ADD CONSTRAINT "boards_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "board_lists" ADD CONSTRAINT "board_lists_board_id_fkey" FOREIGN KEY ("board_id") REFERENCES "boards"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "board_lists" ADD CONSTRAINT "board_lists_label_id_fkey" FOREIGN KEY ("label_id") REFERENCES "labels"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "variables" ADD CONSTRAINT "variables_namespace_id_fkey" FOREIGN KEY ("namespace_id") REFERENCES "namespaces"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "variables" ADD CONSTRAINT "variables_project_id_fkey" FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What belongs to a group or to a project belongs to one of the two.
ALTER TABLE "access_requests" ADD CONSTRAINT "access_requests_one_source" CHECK (num_nonnulls("namespace_id", "project_id") = 1);
ALTER TABLE "variables" ADD CONSTRAINT "variables_one_source" CHECK (num_nonnulls("namespace_id", "project_id") = 1);
ALTER TABLE "labels" ADD CONSTRAINT "labels_one_source" CHECK (num_nonnulls("namespace_id", "project_id") = 1);
ALTER TABLE "milestones" ADD CONSTRAINT "milestones_one_source" CHECK (num_nonnulls("namespace_id", "project_id") = 1);
ALTER TABLE "award_emojis" ADD CONSTRAINT "award_emojis_one_thing" CHECK (num_nonnulls("issue_id", "note_id") = 1);

-- A list that was deleted stays, and leaves its label and its place free.
CREATE UNIQUE INDEX "board_lists_label" ON "board_lists"("board_id", "label_id") WHERE "removed_at" IS NULL;
CREATE UNIQUE INDEX "board_lists_position" ON "board_lists"("board_id", "position") WHERE "removed_at" IS NULL;

INSERT INTO "boards" ("project_id") SELECT "id" FROM "projects";
