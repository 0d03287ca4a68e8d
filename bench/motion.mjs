// How smoothly cards move on the page, in a slowed down Chromium: node bench/motion.mjs. Wants a
// built page (npm run build in web/).
import { execFileSync } from 'node:child_process';

execFileSync('node', ['tools/run.mjs', 'tools/motion.ts'], {
  cwd: new URL('../web', import.meta.url).pathname,
  stdio: 'inherit',
});
