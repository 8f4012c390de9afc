import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Real processes on a shared machine: a late one is started again there, never at a desk.
    retry: process.env['CI'] ? 2 : 0,
  },
});
