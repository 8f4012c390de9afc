import { fileURLToPath } from 'node:url';

/** Directory of the launchers that belong to this installation of gov. */
export function hooksDir(): string {
  return fileURLToPath(new URL('../../hooks', import.meta.url));
}

/** The hook's bundle of this installation. */
export function bundleFile(): string {
  return fileURLToPath(new URL('../../dist/hook.cjs', import.meta.url));
}
