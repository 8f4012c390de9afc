import { homedir } from 'node:os';
import type { RegisterPlace } from '../agents/registrar.ts';

/** This process's place. */
export function thisPlace(): RegisterPlace {
  return { home: process.env['HOME'] || homedir(), cwd: process.cwd(), env: process.env, platform: process.platform };
}
