// The page in a real browser, against the program that serves it. CIV_LONG=1 plays the long set.
import { defineConfig } from '@playwright/test';

const port = Number(process.env.CIV_PORT ?? 8105);
// Another program than the one that was built here, or another page than the one inside it.
const program = process.env.CIV_PROGRAM ?? '../build/civ';
const page = process.env.CIV_PAGE ? `--page ${process.env.CIV_PAGE}` : '';

export default defineConfig({
  testDir: 'tests',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 900_000, // a game between five browsers on a slow machine; what is stuck, is stuck
  expect: { timeout: 20_000 },
  reporter: [['list']],
  use: {
    actionTimeout: 30_000,
    baseURL: `http://127.0.0.1:${port}/`,
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] },
  },
  webServer: {
    command: `${program} serve --port ${port} --data ../build/e2e --no-limits ${page}`,
    url: `http://127.0.0.1:${port}/healthz`,
    reuseExistingServer: false,
  },
});
