// Browsers with other engines than Chromium's, each spoken to as it wants: Firefox by WebDriver
// BiDi, WebKit by WebDriver, which is a few requests. A test needs no more of them than this.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import puppeteer from 'puppeteer-core';

export interface Browser {
  goto(address: string): Promise<void>;
  reload(): Promise<void>;
  run(script: string): Promise<unknown>; // an expression in the page
  close(): Promise<void>;
}

// Calls a function in the page. What goes in and comes out is JSON.
export const inPage = <T, A extends unknown[]>(
  browser: Browser,
  call: (...args: A) => T | Promise<T>,
  ...args: A
) => browser.run(`(${call})(...${JSON.stringify(args)})`) as Promise<T>;

const SIZE = { width: 1440, height: 900 };

export async function firefox(): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    defaultViewport: SIZE,
  });
  const page = await browser.newPage();
  return {
    goto: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    run: (script) => page.evaluate(script),
    close: () => browser.close(),
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}

// A screen that nobody sees; Xvfb chooses its number and tells it.
async function screen(): Promise<{ display: string; process: ChildProcess }> {
  const size = `${SIZE.width}x${SIZE.height}x24`;
  const process = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', size, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const number = await new Promise<string>((told, failed) => {
    process.on('error', failed);
    process.on('exit', () => failed(new Error('Xvfb has ended')));
    process.stdio[3]!.once('data', (text) => told(`${text}`.trim()));
  });
  return { display: `:${number}`, process };
}

// A request to the driver, again and again until it listens.
async function ask(url: string, body: object | null, tries = 1): Promise<unknown> {
  for (let left = tries; ; left--) {
    try {
      const answer = await fetch(url, {
        method: body ? 'POST' : 'DELETE',
        body: body && JSON.stringify(body),
      });
      const { value } = (await answer.json()) as { value: { message?: string } | null };
      if (!answer.ok) throw new Error(value?.message ?? `${url}: ${answer.status}`);
      return value;
    } catch (error) {
      if (left <= 1 || !(error instanceof TypeError)) throw error;
      await new Promise((passed) => setTimeout(passed, 100));
    }
  }
}

// The browser that comes with WebKitGTK's library, in a folder that is named after the machine.
const miniBrowser = () =>
  readdirSync('/usr/lib')
    .map((folder) => `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`)
    .find(existsSync) ?? 'MiniBrowser';

export async function webkit(): Promise<Browser> {
  const { display, process: xvfb } = await screen();
  const port = await freePort();
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: display,
      GDK_BACKEND: 'x11',
      NO_AT_BRIDGE: '1', // no bus for assistive technology here
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', // it cannot run as root, and the page is ours
    },
  });
  const stop = () => {
    driver.kill();
    xvfb.kill();
  };
  const wanted = {
    'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
    timeouts: { script: 120_000, pageLoad: 120_000 },
  };
  try {
    const root = `http://127.0.0.1:${port}/session`;
    const made = await ask(root, { capabilities: { alwaysMatch: wanted } }, 100);
    const session = `${root}/${(made as { sessionId: string }).sessionId}`;
    await ask(`${session}/window/rect`, { x: 0, y: 0, ...SIZE });
    return {
      goto: async (url) => void (await ask(`${session}/url`, { url })),
      reload: async () => void (await ask(`${session}/refresh`, {})),
      run: (script) => ask(`${session}/execute/sync`, { script: `return ${script}`, args: [] }),
      close: async () => {
        await ask(session, null).catch(() => {}); // it may be gone already
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}
