// Chromium, and the built page (npm run build) at an address, for the tools that look at it.
import { chromium } from '@playwright/test';
import { preview } from 'vite';

const server = await preview({
  configFile: false,
  base: './',
  preview: { port: 0, host: '127.0.0.1' },
  logLevel: 'error',
});
const { port } = server.httpServer.address() as { port: number };

export const address = `http://127.0.0.1:${port}/`;
export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

export async function end(code = 0): Promise<never> {
  await browser.close();
  await server.close();
  process.exit(code);
}
