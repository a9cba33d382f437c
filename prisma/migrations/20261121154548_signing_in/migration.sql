-- CreateTable
CREATE TABLE "oauth_applications" (
    "id" SERIAL NOT NULL,
    "owner_id" INTEGER,
    "name" TEXT NOT NULL,
    "uid" TEXT NOT NULL,
    "secret_digest" BYTEA NOT NULL,
    "redirect_uris" TEXT[],
    "scopes" TEXT[],
    "is_trusted" BOOLEAN NOT NULL DEFAULT false,
    "is_confidential" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "oauth_applications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_grants" (
    "id" SERIAL NOT NULL,
    "application_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "scopes" TEXT[],
    "code_challenge" TEXT,
    "code_challenge_method" TEXT,
    "family" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_tokens" (
    "id" SERIAL NOT NULL,
    "application_id" INTEGER,
    "user_id" INTEGER,
    "digest" BYTEA NOT NULL,
    "refresh_digest" BYTEA,
    "scopes" TEXT[],
    "family" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "browser_sessions" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "needs_second_factor" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "browser_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "two_factors" (
    "user_id" INTEGER NOT NULL,
    "sealed_secret" TEXT NOT NULL,
    "confirmed_at" TIMESTAMPTZ(3),
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "two_factors_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "recovery_codes" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "recovery_codes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "oauth_applications_uid_key" ON "oauth_applications"("uid");

-- CreateIndex
CREATE INDEX "oauth_applications_owner_id_id_idx" ON "oauth_applications"("owner_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_grants_digest_key" ON "oauth_grants"("digest");

-- CreateIndex
CREATE INDEX "oauth_grants_application_id_idx" ON "oauth_grants"("application_id");

-- CreateIndex
CREATE INDEX "oauth_grants_user_id_idx" ON "oauth_grants"("user_id");

-- CreateIndex
CREATE INDEX "oauth_grants_expires_at_idx" ON "oauth_grants"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_tokens_digest_key" ON "oauth_tokens"("digest");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_tokens_refresh_digest_key" ON "oauth_tokens"("refresh_digest");

-- CreateIndex
CREATE INDEX "oauth_tokens_family_idx" ON "oauth_tokens"("family");

-- CreateIndex
CREATE INDEX "oauth_tokens_user_id_application_id_id_idx" ON "oauth_tokens"("user_id", "application_id", "id");

-- CreateIndex
CREATE INDEX "oauth_tokens_application_id_id_idx" ON "oauth_tokens"("application_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "browser_sessions_digest_key" ON "browser_sessions"("digest");

-- CreateIndex
CREATE INDEX "browser_sessions_user_id_id_idx" ON "browser_sessions"("user_id", "id");

-- CreateIndex
CREATE INDEX "browser_sessions_expires_at_idx" ON "browser_sessions"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "recovery_codes_user_id_digest_key" ON "recovery_codes"("user_id", "digest");

-- AddForeignKey
ALTER TABLE "oauth_applications" ADD CONSTRAINT "oauth_applications_owner_id_fkey" FOREIGN KEY ("owner_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "oauth_applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "oauth_applications"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "browser_sessions" ADD CONSTRAINT "browser_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was remembered of a token ends with it; of an application's own, which is nobody's, under no id.
CREATE TRIGGER "oauth_tokens_changed" AFTER UPDATE OR DELETE ON "oauth_tokens" FOR EACH ROW
  EXECUTE FUNCTION notify_viewers('user_id');
-- Using a session lengthens it, which nobody needs to know.
CREATE TRIGGER "browser_sessions_ended" AFTER DELETE ON "browser_sessions" FOR EACH ROW
  EXECUTE FUNCTION notify_viewers('user_id');
-- What an application may do is remembered with its tokens.
CREATE TRIGGER "oauth_applications_changed" AFTER UPDATE ON "oauth_applications" FOR EACH ROW
  WHEN (OLD."owner_id" IS DISTINCT FROM NEW."owner_id")
  EXECUTE FUNCTION notify_all_viewers();
