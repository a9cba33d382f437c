-- AlterTable
ALTER TABLE "oauth_grants" ADD COLUMN     "authenticated_at" TIMESTAMPTZ(3),
ADD COLUMN     "nonce" TEXT;

-- AlterTable
ALTER TABLE "oauth_tokens" ADD COLUMN     "authenticated_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "oauth_signing_keys" (
    "id" SERIAL NOT NULL,
    "key_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "modulus" TEXT NOT NULL,
    "exponent" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "retired_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_signing_keys_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "oauth_signing_keys_key_id_key" ON "oauth_signing_keys"("key_id");
