import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'scenarios/**/*.test.ts', 'simulation/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['src/platform/testing/postgres.ts'],
    pool: 'forks',
    // Two cores: more files at once only make the databases slower.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
