-- AlterTable
ALTER TABLE "deploy_key_projects" ADD COLUMN     "user_id" INTEGER;

-- AlterTable
ALTER TABLE "keys" ADD COLUMN     "expires_at" TIMESTAMPTZ(3),
ADD COLUMN     "last_used_at" TIMESTAMPTZ(3);
