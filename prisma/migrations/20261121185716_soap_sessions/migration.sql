-- CreateTable
CREATE TABLE "soap_sessions" (
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "access_token_id" INTEGER NOT NULL,
    "digest" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "soap_sessions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "soap_sessions_digest_key" ON "soap_sessions"("digest");

-- CreateIndex
CREATE INDEX "soap_sessions_user_id_idx" ON "soap_sessions"("user_id");

-- CreateIndex
CREATE INDEX "soap_sessions_access_token_id_idx" ON "soap_sessions"("access_token_id");

-- CreateIndex
CREATE INDEX "soap_sessions_expires_at_idx" ON "soap_sessions"("expires_at");

-- AddForeignKey
ALTER TABLE "soap_sessions" ADD CONSTRAINT "soap_sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "soap_sessions" ADD CONSTRAINT "soap_sessions_access_token_id_fkey" FOREIGN KEY ("access_token_id") REFERENCES "access_tokens"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- From here on by hand: what the models cannot say.

-- Using a session lengthens it, which nobody needs to know.
CREATE TRIGGER "soap_sessions_ended" AFTER DELETE ON "soap_sessions" FOR EACH ROW
  EXECUTE FUNCTION notify_viewers('user_id');
