-- AlterTable
ALTER TABLE "browser_sessions" ADD COLUMN     "address" TEXT,
ADD COLUMN     "browser" TEXT;
