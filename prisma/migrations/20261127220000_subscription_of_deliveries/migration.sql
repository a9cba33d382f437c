-- AlterTable
ALTER TABLE "hook_deliveries" ADD COLUMN     "subscription" TEXT;
