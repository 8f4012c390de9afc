import { statSync } from 'node:fs';
import { openStore, type Store } from '../audit/read/store.ts';

/** Gives the store to whoever reads; a file that was replaced since is opened anew. */
export interface Source {
  read<T>(use: (store: Store) => T): T;
  close(): void;
}

/** A source of one store's file. Throws what `openStore` throws, at once if the store can't be read now. */
export function openSource(file: string): Source {
  let identity = identityOf(file);
  let store = openStore(file);
  return {
    read(use) {
      const now = identityOf(file);
      if (now !== identity) {
        store.close();
        store = openStore(file);
        identity = now;
      }
      return use(store);
    },
    close: () => store.close(),
  };
}

function identityOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}`;
}
