// The page in a real browser, against the program that serves it: everything (npm run e2e), or
// along its main ways (npm run e2e:main). CIV_LONG=1 plays the long set.
import { defineConfig } from '@playwright/test';
import type { Choice } from './tests/kept';

const port = Number(process.env.CIV_PORT ?? 8105);
// Another program than the one that was built here, or another page than the one inside it.
const program = process.env.CIV_PROGRAM ?? '../build/civ';
const page = process.env.CIV_PAGE ? `--page ${process.env.CIV_PAGE}` : '';

export default defineConfig<Choice>({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 3, // on two cores: the third works while the others wait
  timeout: 900_000, // a game between five browsers on a slow machine; what is stuck, is stuck
  expect: { timeout: 60_000 }, // long, so that a busy machine fails nothing
  retries: process.env.CI ? 1 : 0, // ../test names what passes on a second try
  reporter: [['list']],
  projects: [
    { name: 'full', testIgnore: 'engines.test.ts' },
    { name: 'main', grep: /@main/, use: { brief: true } },
    { name: 'engines', testMatch: 'engines.test.ts' },
  ],
  use: {
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    baseURL: `http://127.0.0.1:${port}/`,
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    },
  },
  webServer: {
    command:
      `${program} serve --port ${port} --data ${process.env.CIV_DATA ?? '../build/e2e'} ` +
      `--no-limits --bot-pause 0 ${page}`,
    url: `http://127.0.0.1:${port}/healthz`,
    reuseExistingServer: false,
  },
});
