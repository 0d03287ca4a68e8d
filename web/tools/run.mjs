// Runs a TypeScript file: node tools/run.mjs FILE [arguments]
import { runnerImport } from 'vite';

await runnerImport(process.argv[2], { configFile: false, logLevel: 'error' });
