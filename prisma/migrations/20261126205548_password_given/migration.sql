-- AlterTable
ALTER TABLE "users" ADD COLUMN     "is_password_given" BOOLEAN NOT NULL DEFAULT false;
